#!/bin/bash
# The first start of the machine with Prometheus, Grafana and TensorBoard. All are reached through the jump host only.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings
# shellcheck source=infra/terraform/user-data/common.sh
source /opt/nowhere/common.sh

start_docker
mount_efs
start_agent || echo "the CloudWatch agent could not be started"
start_node_exporter

mkdir -p /etc/prometheus/rules /etc/nowhere
aws s3 sync --no-progress "s3://$bucket/stats-monitor/rules" /etc/prometheus/rules
aws s3 sync --no-progress "s3://$bucket/stats-monitor/grafana" /etc/nowhere

# Made here, so that it is in no state file and in no log: sudo cat /etc/nowhere/password
(umask 077 && openssl rand -base64 18 >/etc/nowhere/password)
chown 472 /etc/nowhere/password # Grafana's user in its image

docker volume create prometheus
docker run -d --name prometheus --restart unless-stopped --network host --cap-drop ALL \
  -v /etc/prometheus:/etc/prometheus:ro -v prometheus:/prometheus "$prometheus_image" \
  --config.file=/etc/prometheus/prometheus.yml --storage.tsdb.path=/prometheus --storage.tsdb.retention.time="${retention_days}d"

# The provisioned data source is http://prometheus:9090.
docker volume create grafana
docker run -d --name grafana --restart unless-stopped --network host --add-host prometheus:127.0.0.1 --cap-drop ALL \
  -e GF_SECURITY_ADMIN_PASSWORD__FILE=/etc/nowhere/password -e GF_ANALYTICS_REPORTING_ENABLED=false \
  -e GF_ANALYTICS_CHECK_FOR_UPDATES=false -v /etc/nowhere/password:/etc/nowhere/password:ro \
  -v /etc/nowhere/provisioning:/etc/grafana/provisioning:ro -v /etc/nowhere/dashboards:/etc/nowhere/dashboards:ro \
  -v grafana:/var/lib/grafana "$grafana_image"

pull "$tensorboard_image"
docker run -d --name tensorboard --restart unless-stopped --network host --cap-drop ALL --user "$run_user" --read-only \
  --tmpfs /tmp -v /efs/runs:/runs:ro "$tensorboard_image"
