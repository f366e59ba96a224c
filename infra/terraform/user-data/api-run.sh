#!/bin/bash
# Serving in its container. Newer checkpoints are taken as training uploads them.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings

mapfile -t arguments </opt/nowhere/serve-arguments
docker rm --force nowhere-serve >/dev/null 2>&1 || true
exec docker run --rm --init --name nowhere-serve --network host --read-only --tmpfs /tmp --user "$run_user" --cap-drop ALL \
  --security-opt no-new-privileges -e "AWS_REGION=$region" "$image" serve "$model" --follow --host 0.0.0.0 --port 8080 \
  --connections-per-address 0 "${arguments[@]}"
