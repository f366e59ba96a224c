#!/bin/bash
# After training, by systemd, which says how it went: a machine whose run is complete costs money for nothing.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings
if [ "$halt_when_done" = true ] && [ "${SERVICE_RESULT:-}" = success ] && [ "${EXIT_STATUS:-}" = 0 ]; then
  echo "the run is complete; the machine halts"
  systemctl poweroff
fi
