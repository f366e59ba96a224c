#!/bin/bash
# The disk for the packed data, at /data, and the data on it. Runs before training at every start of the machine: local NVMe is
# empty after each.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings
# shellcheck source=infra/terraform/user-data/common.sh
source /opt/nowhere/common.sh

# The gp3 volume; /dev/xvdf on instances without the Nitro system (P3). It is attached after the start.
find_volume() {
  local device attempt
  for attempt in $(seq 60); do
    for device in "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${data_volume_id/-/}" /dev/xvdf /dev/sdf; do
      [ ! -b "$device" ] || { readlink -f "$device"; return; }
    done
    sleep 5
  done
  echo "$data_volume_id is not attached after $((attempt * 5)) s" >&2
  return 1
}

# All local disks as one.
find_local_disks() {
  local disks
  [ ! -b /dev/md/nowhere ] || { readlink -f /dev/md/nowhere; return; }
  mapfile -t disks < <(find /dev/disk/by-id -name 'nvme-Amazon_EC2_NVMe_Instance_Storage_*' -exec readlink -f {} + | sort -u)
  case ${#disks[@]} in
    0) echo "no local NVMe on this machine; set data_storage = \"gp3\"" >&2 && return 1 ;;
    1) printf '%s\n' "${disks[0]}" ;;
    *)
      command -v mdadm >/dev/null || install_packages mdadm -- mdadm >&2
      mdadm --create /dev/md/nowhere --run --level=0 --raid-devices="${#disks[@]}" "${disks[@]}" >&2
      readlink -f /dev/md/nowhere
      ;;
  esac
}

mount_data() {
  local device
  mkdir -p /data
  mountpoint -q /data && return
  if [ "$data_storage" = nvme ] && mountpoint -q /opt/dlami/nvme; then
    mount --bind /opt/dlami/nvme /data # Amazon's images for accelerators have made one disk of all already
    return
  fi
  case $data_storage in
    gp3) device=$(find_volume) ;;
    nvme) device=$(find_local_disks) ;;
  esac
  blkid "$device" >/dev/null || mkfs.ext4 -q -L data "$device" # never over a file system that is there
  mount -o noatime "$device" /data
}

# Only what is not there yet, in size or time.
copy_packs() {
  install -d -o "${run_user%:*}" -g "${run_user#*:}" /data/packed
  case $packed_data in
    '') ;;
    s3://*) aws s3 sync "$packed_data" /data/packed --exclude '*' --include '*.nwp' --no-progress ;;
    *) find "$packed_data" -maxdepth 1 -name '*.nwp' -exec cp -u --preserve=timestamps -t /data/packed {} + ;;
  esac
  find /data/packed -name '*.nwp' | grep -q . || {
    echo "no packed file in /data/packed; put one there (nowhere pack), or set packed_data" >&2
    return 1
  }
}

mount_data
copy_packs
