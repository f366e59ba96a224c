#!/bin/bash
# Waits for the notice that the spot instance will be taken back, which comes two minutes ahead, and stops training: SIGTERM,
# on which it saves a checkpoint. The address and the interval are variables for the tests.
set -euo pipefail
metadata=${METADATA:-http://169.254.169.254}/latest
interval=${INTERVAL:-5}

while true; do
  token=$(curl -sf -m 2 -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$metadata/api/token") || token=
  # 404 until there is a notice.
  if notice=$(curl -sf -m 2 -H "X-aws-ec2-metadata-token: $token" "$metadata/meta-data/spot/instance-action"); then
    echo "the instance will be taken back: $notice"
    systemctl stop nowhere-train.service
    echo "training has saved and stopped"
    exit
  fi
  sleep "$interval"
done
