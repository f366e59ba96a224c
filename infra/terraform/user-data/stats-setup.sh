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

mkdir -p /etc/prometheus/rules /etc/grafana/provisioning /etc/grafana/dashboards
aws s3 sync --no-progress "s3://$bucket/stats-monitor/rules" /etc/prometheus/rules
aws s3 sync --no-progress "s3://$bucket/stats-monitor/dashboards" /etc/grafana/dashboards

# Made here, so that it is in no state file and in no log: sudo cat /etc/grafana/password
(umask 077 && openssl rand -base64 18 >/etc/grafana/password)
chown 472 /etc/grafana/password # Grafana's user in its image

docker volume create prometheus
docker run -d --name prometheus --restart unless-stopped --network host \
  -v /etc/prometheus:/etc/prometheus:ro -v prometheus:/prometheus "$prometheus_image" \
  --config.file=/etc/prometheus/prometheus.yml --storage.tsdb.retention.time="${retention_days}d"

docker volume create grafana
docker run -d --name grafana --restart unless-stopped --network host \
  -e GF_SECURITY_ADMIN_PASSWORD__FILE=/etc/grafana/password -e GF_ANALYTICS_REPORTING_ENABLED=false \
  -e GF_USERS_ALLOW_SIGN_UP=false -v /etc/grafana/password:/etc/grafana/password:ro \
  -v /etc/grafana/provisioning:/etc/grafana/provisioning:ro -v /etc/grafana/dashboards:/etc/grafana/dashboards:ro \
  -v grafana:/var/lib/grafana "$grafana_image"

# The plugin for profiles is a package of Python; no image offers both.
docker run -d --name tensorboard --restart unless-stopped --network host -v /efs/runs:/efs/runs:ro "$python_image" sh -c \
  "pip install --quiet --root-user-action ignore $tensorboard_packages && exec tensorboard --logdir /efs/runs --host 0.0.0.0 --port 6006"
