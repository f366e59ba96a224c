#!/bin/bash
# At every start of the notebook instance, as root, within five minutes: EFS, the notebooks, the program, figures.
# shellcheck disable=SC2154 # settings
set -euo pipefail
# shellcheck source=/dev/null
source /opt/nowhere/settings
# shellcheck source=infra/terraform/user-data/common.sh
source /opt/nowhere/common.sh
home=/home/ec2-user/SageMaker

mountpoint -q /efs || mount_efs

# Notebooks that were changed here stay as they are. They name runs as runs/NAME.
mkdir -p "$home/notebooks"
aws s3 sync --no-progress "s3://$bucket/train-dev/notebooks" /opt/nowhere/notebooks
aws s3 sync --no-progress "s3://$bucket/train-dev/msls" "$home/notebooks/msls"
for notebook in /opt/nowhere/notebooks/*.ipynb; do
  [ -e "$home/notebooks/${notebook##*/}" ] || cp "$notebook" "$home/notebooks"
done
ln -sfn /efs/runs "$home/notebooks/runs"
chown -R --no-dereference ec2-user: "$home/notebooks"

# `nowhere` is the container; it sees the runs and the notebooks under their own names.
cat >/usr/local/bin/nowhere <<END
#!/bin/sh
exec docker run --rm --network host --user "$run_user" -v /efs/runs:/efs/runs -v $home:$home -w "\$PWD" "$image" "\$@"
END
chmod 755 /usr/local/bin/nowhere

# In the background: the image may take longer than the time a start may take.
(pull "$image" && { start_agent || echo "the CloudWatch agent could not be started"; }) </dev/null >>/var/log/nowhere.log 2>&1 &
