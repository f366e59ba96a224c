#!/bin/bash
# Use and memory of each Gaudi to CloudWatch, once a minute by a timer: the agent knows NVIDIA's devices only.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings

# "0, 87 %, 12034 MiB, 32768 MiB": number, use, memory used, memory in all
hl-smi -Q index,utilization.aip,memory.used,memory.total -f csv,noheader | while IFS=, read -r index use used total; do
  for figure in "hpu_utilization=$use:Percent" "hpu_memory_used=$used:Megabytes" "hpu_memory_total=$total:Megabytes"; do
    value=${figure#*=}
    aws cloudwatch put-metric-data --region "$region" --namespace "$name" --metric-name "${figure%%=*}" \
      --value "$(tr -cd 0-9. <<<"${value%:*}")" --unit "${value#*:}" --dimensions "Device=${index// /}"
  done
done
