# A small machine with Prometheus, Grafana and TensorBoard, all provisioned; reached through the jump host.

locals {
  name = "${var.core.name}-stats"
  tags = merge(var.core.tags, { Project = var.core.name, Module = "stats-monitor" })
}

data "aws_ssm_parameter" "amazon_linux" {
  name = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
}

resource "aws_security_group" "stats" {
  name        = local.name
  description = "Grafana, TensorBoard and Prometheus, from the jump host"
  vpc_id      = var.core.vpc_id
  tags        = merge(local.tags, { Name = local.name })
}

resource "aws_vpc_security_group_ingress_rule" "tunnels" {
  for_each                     = { grafana = 3000, tensorboard = 6006, prometheus = 9090 }
  security_group_id            = aws_security_group.stats.id
  description                  = "${each.key}, from the jump host"
  ip_protocol                  = "tcp"
  from_port                    = each.value
  to_port                      = each.value
  referenced_security_group_id = var.core.jump_security_group_id
  tags                         = local.tags
}

resource "aws_instance" "stats" {
  # checkov:skip=CKV_AWS_126: The CloudWatch agent reports every minute; detailed monitoring would be paid twice.
  ami                         = data.aws_ssm_parameter.amazon_linux.value
  instance_type               = var.instance_type
  subnet_id                   = var.core.private_subnet_id
  vpc_security_group_ids      = [var.core.machine_security_group_id, aws_security_group.stats.id]
  key_name                    = var.core.key_name
  iam_instance_profile        = aws_iam_instance_profile.stats.name
  ebs_optimized               = true
  user_data_base64            = base64gzip(local.user_data)
  user_data_replace_on_change = true
  tags                        = merge(local.tags, { Name = local.name, Role = "stats" })
  volume_tags                 = merge(local.tags, { Name = local.name })

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1 # containers use the machine's network
  }

  root_block_device {
    volume_type = "gp3"
    volume_size = var.volume_gib
    encrypted   = true
  }

  lifecycle {
    ignore_changes = [ami] # a newer image of Amazon Linux is no reason to lose the figures
  }

  depends_on = [
    aws_s3_object.rules, aws_s3_object.grafana, aws_iam_role_policy.stats, aws_iam_role_policy_attachment.machine,
  ]
}
