# Who may talk to whom. Groups that belong to one module alone are in that module.

locals {
  tunnels = { ssh = 22, grafana = 3000, tensorboard = 6006, prometheus = 9090 }
  # What Prometheus reads: nowhere's own figures in training and in serving, and the node exporter's.
  figures = { train = 9400, serve = 8080, node = 9100 }
}

resource "aws_security_group" "jump" {
  name        = "${var.name}-jump"
  description = "SSH from the addresses of ssh_cidr_blocks, and tunnels into the network"
  vpc_id      = aws_vpc.this.id
  tags        = merge(local.tags, { Name = "${var.name}-jump" })
}

resource "aws_vpc_security_group_ingress_rule" "jump_ssh" {
  for_each          = toset(var.ssh_cidr_blocks)
  security_group_id = aws_security_group.jump.id
  description       = "SSH from one of ssh_cidr_blocks"
  ip_protocol       = "tcp"
  from_port         = 22
  to_port           = 22
  cidr_ipv4         = each.value
  tags              = local.tags
}

resource "aws_vpc_security_group_egress_rule" "jump_tunnels" {
  for_each          = local.tunnels
  security_group_id = aws_security_group.jump.id
  description       = "Tunnels: ${each.key}"
  ip_protocol       = "tcp"
  from_port         = each.value
  to_port           = each.value
  cidr_ipv4         = var.cidr_block
  tags              = local.tags
}

resource "aws_vpc_security_group_egress_rule" "jump_updates" {
  security_group_id = aws_security_group.jump.id
  description       = "Packages"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = "0.0.0.0/0"
  tags              = local.tags
}

# Every machine of the private subnet.
resource "aws_security_group" "machine" {
  # checkov:skip=CKV2_AWS_5: The machines of the other modules belong to it.
  name        = "${var.name}-machine"
  description = "SSH from the jump host, figures for Prometheus, EFS, images and packages"
  vpc_id      = aws_vpc.this.id
  tags        = merge(local.tags, { Name = "${var.name}-machine" })
}

resource "aws_vpc_security_group_ingress_rule" "machine_ssh" {
  # checkov:skip=CKV_AWS_24: It is open to the jump host alone; the check does not know referenced_security_group_id.
  security_group_id            = aws_security_group.machine.id
  description                  = "SSH from the jump host"
  ip_protocol                  = "tcp"
  from_port                    = 22
  to_port                      = 22
  referenced_security_group_id = aws_security_group.jump.id
  tags                         = local.tags
}

resource "aws_vpc_security_group_ingress_rule" "machine_figures" {
  for_each                     = local.figures
  security_group_id            = aws_security_group.machine.id
  description                  = "Figures for Prometheus: ${each.key}"
  ip_protocol                  = "tcp"
  from_port                    = each.value
  to_port                      = each.value
  referenced_security_group_id = aws_security_group.machine.id
  tags                         = local.tags
}

resource "aws_vpc_security_group_egress_rule" "machine_figures" {
  for_each                     = local.figures
  security_group_id            = aws_security_group.machine.id
  description                  = "Figures for Prometheus: ${each.key}"
  ip_protocol                  = "tcp"
  from_port                    = each.value
  to_port                      = each.value
  referenced_security_group_id = aws_security_group.machine.id
  tags                         = local.tags
}

# 80: Ubuntu's packages, which are signed.
resource "aws_vpc_security_group_egress_rule" "machine_web" {
  for_each          = { http = 80, https = 443 }
  security_group_id = aws_security_group.machine.id
  description       = "Images, packages and the interfaces of AWS: ${each.key}"
  ip_protocol       = "tcp"
  from_port         = each.value
  to_port           = each.value
  cidr_ipv4         = "0.0.0.0/0"
  tags              = local.tags
}

resource "aws_vpc_security_group_egress_rule" "machine_efs" {
  security_group_id            = aws_security_group.machine.id
  description                  = "EFS"
  ip_protocol                  = "tcp"
  from_port                    = 2049
  to_port                      = 2049
  referenced_security_group_id = aws_security_group.efs.id
  tags                         = local.tags
}

resource "aws_security_group" "efs" {
  name        = "${var.name}-efs"
  description = "NFS from the machines"
  vpc_id      = aws_vpc.this.id
  tags        = merge(local.tags, { Name = "${var.name}-efs" })
}

resource "aws_vpc_security_group_ingress_rule" "efs_machines" {
  security_group_id            = aws_security_group.efs.id
  description                  = "NFS from the machines"
  ip_protocol                  = "tcp"
  from_port                    = 2049
  to_port                      = 2049
  referenced_security_group_id = aws_security_group.machine.id
  tags                         = local.tags
}
