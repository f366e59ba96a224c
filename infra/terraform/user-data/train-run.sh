#!/bin/bash
# Training in its container. A run that is there already goes on: after a spot interruption, a failure, a new start.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings

options=(--rm --name nowhere-train --network host --ipc host --stop-timeout 110 --user "$run_user" --cap-drop ALL
  --security-opt no-new-privileges -v /data:/data:ro -v /efs/runs:/efs/runs)
case $accelerator in
  nvidia) options+=(--gpus all) ;;
  habana) options+=(--runtime habana -e HABANA_VISIBLE_DEVICES=all --cap-add SYS_NICE) ;;
esac

mapfile -t arguments </opt/nowhere/train-arguments
[ ! -e "/efs/runs/$run_name/config.json" ] || arguments+=(--resume)

docker rm --force nowhere-train >/dev/null 2>&1 || true
exec docker run "${options[@]}" "$image" train --dataroot /data/packed --root /efs/runs --name "$run_name" \
  --s3_bucket "$bucket" --metrics-host 0.0.0.0 --metrics-port 9105 "${arguments[@]}"
