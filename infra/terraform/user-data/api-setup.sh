#!/bin/bash
# The first start of the machine that serves the gallery, behind the load balancer.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings
# shellcheck source=infra/terraform/user-data/common.sh
source /opt/nowhere/common.sh

start_docker
start_agent || echo "the CloudWatch agent could not be started"
start_node_exporter || echo "the node exporter could not be started"
pull "$image"
systemctl daemon-reload
systemctl enable --now nowhere-serve.service
