# The one machine that can be reached from outside. It holds nothing and may do nothing but forward connections.

data "aws_ssm_parameter" "amazon_linux" {
  name = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
}

resource "aws_key_pair" "this" {
  key_name   = var.name
  public_key = var.ssh_public_key
  tags       = local.tags
}

resource "aws_instance" "jump" {
  # checkov:skip=CKV_AWS_126: Detailed monitoring costs extra; a jump host needs none.
  # checkov:skip=CKV2_AWS_41: It has no role because it may do nothing in the account.
  ami                    = data.aws_ssm_parameter.amazon_linux.value
  instance_type          = var.jump_instance_type
  subnet_id              = aws_subnet.public.id
  vpc_security_group_ids = [aws_security_group.jump.id]
  key_name               = aws_key_pair.this.key_name
  ebs_optimized          = true
  tags                   = merge(local.tags, { Name = "${var.name}-jump" })
  volume_tags            = merge(local.tags, { Name = "${var.name}-jump" })

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  root_block_device {
    volume_type = "gp3"
    volume_size = 8
    encrypted   = true
  }

  lifecycle {
    ignore_changes = [ami] # a newer image of Amazon Linux is no reason to replace it
  }
}

resource "aws_eip" "jump" {
  domain     = "vpc"
  instance   = aws_instance.jump.id
  tags       = merge(local.tags, { Name = "${var.name}-jump" })
  depends_on = [aws_internet_gateway.this] # and is gone before it
}
