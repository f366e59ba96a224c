# shellcheck shell=bash
# What the set-up of every machine is made of. /opt/nowhere/settings is written by Terraform and sourced before; packages
# come from Amazon Linux (dnf, yum) or Ubuntu (apt-get).
# shellcheck disable=SC2154 # the settings: name, region, efs_id, run_user, image, agent_parameters

# install_packages AMAZON_LINUX... -- UBUNTU...
install_packages() {
  local amazon=()
  while [ "$1" != -- ]; do
    amazon+=("$1")
    shift
  done
  shift
  if command -v dnf >/dev/null; then
    dnf install -y -q "${amazon[@]}"
  elif command -v yum >/dev/null; then
    yum install -y -q "${amazon[@]}"
  else
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
  fi
}

# Images for accelerators bring Docker with the driver's runtime; theirs is kept.
start_docker() {
  command -v docker >/dev/null || install_packages docker -- docker.io
  systemctl enable --now docker
}

# pull IMAGE: with the machine's role where the image is in ECR.
pull() {
  case $1 in
    *.dkr.ecr.*.amazonaws.com/*)
      aws ecr get-login-password --region "$region" | docker login --username AWS --password-stdin "${1%%/*}"
      ;;
  esac
  docker pull --quiet "$1"
}

# /efs, through TLS: by Amazon's mount helper, or by stunnel where no package offers the helper.
mount_efs() {
  mkdir -p /efs
  if command -v apt-get >/dev/null; then
    install_packages -- nfs-common stunnel4
    cat >/etc/stunnel/efs.conf <<END
foreground = yes
client = yes
[efs]
accept = 127.0.0.1:20049
connect = $efs_id.efs.$region.amazonaws.com:2049
verifyChain = yes
checkHost = $efs_id.efs.$region.amazonaws.com
CAfile = /etc/ssl/certs/ca-certificates.crt
END
    systemctl enable --now stunnel@efs
    echo '127.0.0.1:/ /efs nfs4 nfsvers=4.1,hard,timeo=600,port=20049,noresvport,_netdev,nofail 0 0' >>/etc/fstab
  else
    install_packages amazon-efs-utils --
    echo "$efs_id:/ /efs efs tls,_netdev,nofail 0 0" >>/etc/fstab
  fi
  # Its name may take a while to be known.
  local attempt
  for attempt in 1 2 3 4 5 6; do
    mount /efs && break
    echo "EFS cannot be mounted yet ($attempt of 6)"
    sleep 20
  done
  mountpoint -q /efs
  install -d -o "${run_user%:*}" -g "${run_user#*:}" /efs/runs
}

# The CloudWatch agent with the configurations that agent_parameters names, the first one first.
start_agent() {
  local control=/opt/aws/amazon-cloudwatch-agent/bin/amazon-cloudwatch-agent-ctl action=fetch-config parameter
  if command -v apt-get >/dev/null; then
    curl -sSfo /tmp/agent.deb \
      "https://amazoncloudwatch-agent-$region.s3.$region.amazonaws.com/ubuntu/amd64/latest/amazon-cloudwatch-agent.deb"
    dpkg -i /tmp/agent.deb
    rm /tmp/agent.deb
  else
    install_packages amazon-cloudwatch-agent --
  fi
  for parameter in $agent_parameters; do
    "$control" -a "$action" -m ec2 -s -c "ssm:$parameter"
    action=append-config
  done
}

# Figures of the machine for Prometheus, on port 9100.
start_node_exporter() {
  docker run -d --name node-exporter --restart unless-stopped --network host --pid host --read-only --user 65534 \
    --cap-drop ALL -v /:/host:ro,rslave prom/node-exporter:v1.8.2 --path.rootfs=/host
}
