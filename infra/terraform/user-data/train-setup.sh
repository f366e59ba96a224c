#!/bin/bash
# The first start of the training machine: storage, figures, the image; then training.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings
# shellcheck source=infra/terraform/user-data/common.sh
source /opt/nowhere/common.sh

start_docker
mount_efs
# Figures are wanted, but no reason not to train.
start_agent || echo "the CloudWatch agent could not be started"
start_node_exporter || echo "the node exporter could not be started"
pull "$image"

systemctl daemon-reload
[ "$accelerator" != habana ] || systemctl enable --now nowhere-hpu-figures.timer
[ "$spot" != true ] || systemctl enable --now nowhere-spot-watch.service
[ "$start_training" != true ] || systemctl enable --now --no-block nowhere-train.service
