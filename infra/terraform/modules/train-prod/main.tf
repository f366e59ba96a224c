# The machine with the accelerators. It runs the container image; nothing is built on it.

locals {
  name  = "${var.core.name}-train"
  tags  = merge(var.core.tags, { Project = var.core.name, Module = "train-prod" })
  image = local.accelerator == "habana" ? var.habana_image : var.image
}

# Whether this zone has such machines, as AWS says today.
data "aws_ec2_instance_type_offerings" "zone" {
  location_type = "availability-zone"

  filter {
    name   = "instance-type"
    values = [var.instance_type]
  }

  filter {
    name   = "location"
    values = [var.core.zone]
  }

  lifecycle {
    postcondition {
      condition     = length(self.instance_types) > 0
      error_message = "${var.core.zone} has no ${var.instance_type}; choose another zone, region or instance_type."
    }
  }
}

data "aws_ami" "accelerator" {
  count       = var.ami_id == "" ? 1 : 0
  most_recent = true
  owners      = ["amazon"]

  filter {
    name   = "name"
    values = [local.ami_name]
  }

  filter {
    name   = "architecture"
    values = ["x86_64"]
  }
}

resource "aws_instance" "train" {
  # checkov:skip=CKV_AWS_126: The CloudWatch agent reports every minute; detailed monitoring would be paid twice.
  ami                                  = var.ami_id == "" ? data.aws_ami.accelerator[0].id : var.ami_id
  instance_type                        = var.instance_type
  subnet_id                            = var.core.private_subnet_id
  vpc_security_group_ids               = [var.core.machine_security_group_id]
  key_name                             = var.core.key_name
  iam_instance_profile                 = aws_iam_instance_profile.train.name
  ebs_optimized                        = true
  instance_initiated_shutdown_behavior = var.spot ? "terminate" : "stop"
  user_data_base64                     = base64gzip(local.user_data)
  user_data_replace_on_change          = true
  tags                                 = merge(local.tags, { Name = local.name, Role = "train" })
  volume_tags                          = merge(local.tags, { Name = local.name })

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1 # containers use the machine's network
  }

  root_block_device {
    volume_type = "gp3"
    volume_size = 120 # the machine image with its driver, and the container image
    encrypted   = true
  }

  # One time: a request that renews itself would start another machine after destroy.
  dynamic "instance_market_options" {
    for_each = var.spot ? [1] : []
    content {
      market_type = "spot"

      spot_options {
        instance_interruption_behavior = "terminate"
        max_price                      = var.spot_max_price == "" ? null : var.spot_max_price
        spot_instance_type             = "one-time"
      }
    }
  }

  lifecycle {
    ignore_changes = [ami] # a newer machine image is no reason to end a run
  }

  depends_on = [
    data.aws_ec2_instance_type_offerings.zone, aws_iam_role_policy.train, aws_iam_role_policy_attachment.machine,
  ]
}

# A volume of its own: it outlives a spot instance, and is filled once.
resource "aws_ebs_volume" "data" {
  # checkov:skip=CKV_AWS_189: Encrypted with AWS's key. One of our own costs a dollar a month and outlives destroy by a week.
  count             = var.data_storage == "gp3" ? 1 : 0
  availability_zone = var.core.zone
  type              = "gp3"
  size              = var.data_volume_gib
  iops              = var.data_volume_iops
  throughput        = var.data_volume_throughput
  encrypted         = true
  tags              = merge(local.tags, { Name = "${local.name}-data" })
}

resource "aws_volume_attachment" "data" {
  count                          = length(aws_ebs_volume.data)
  device_name                    = "/dev/sdf"
  instance_id                    = aws_instance.train.id
  volume_id                      = aws_ebs_volume.data[0].id
  stop_instance_before_detaching = !var.spot
  force_detach                   = var.spot # which cannot be stopped
}
