#!/bin/bash
# Training in its container. A run that is there already goes on: after a spot interruption, a failure, a new start.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings

options=(--rm --init --name nowhere-train --network host --ipc host --stop-timeout 110 --user "$run_user" --cap-drop ALL
  --security-opt no-new-privileges -e NOWHERE_HEALTH=http://127.0.0.1:9400/livez -v /data:/data:ro
  -v /efs/runs:/efs/runs)
# The device is named, so that a driver that cannot be used is an error and not a slow run on an expensive machine's CPU.
case $accelerator in
  nvidia) options+=(--gpus all) device=cuda ;;
  habana) options+=(--runtime habana -e HABANA_VISIBLE_DEVICES=all --cap-add SYS_NICE) device=hpu ;;
esac

mapfile -t arguments </opt/nowhere/train-arguments
[ ! -e "/efs/runs/$run_name/config.json" ] || arguments+=(--resume)

docker rm --force nowhere-train >/dev/null 2>&1 || true
exec docker run "${options[@]}" "$image" train --device "$device" --dataroot /data/packed --root /efs/runs --name "$run_name" \
  --s3_bucket "$bucket" --metrics-host 0.0.0.0 --metrics-port 9400 "${arguments[@]}"
