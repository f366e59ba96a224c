# The machine that serves the gallery and its interface, in the private subnet. It needs no EFS: models come from the bucket.

locals {
  name    = "${var.core.name}-api"
  tags    = merge(var.core.tags, { Project = var.core.name, Module = "api" })
  scripts = "${path.module}/../../user-data"

  settings = {
    name             = var.core.name
    region           = var.core.region
    image            = var.image
    model            = "s3://${var.core.bucket}/${var.run_name}"
    run_user         = var.run_user
    agent_parameters = var.core.agent_parameters["machine"]
  }

  files = [for path, content in {
    "/opt/nowhere/settings"                     = join("", [for key, value in local.settings : "${key}='${replace(value, "'", "'\\''")}'\n"])
    "/opt/nowhere/serve-arguments"              = join("", [for argument in var.serve_arguments : "${argument}\n"])
    "/opt/nowhere/common.sh"                    = file("${local.scripts}/common.sh")
    "/opt/nowhere/api-setup"                    = file("${local.scripts}/api-setup.sh")
    "/opt/nowhere/api-run"                      = file("${local.scripts}/api-run.sh")
    "/etc/systemd/system/nowhere-serve.service" = file("${local.scripts}/nowhere-serve.service")
  } : { path = path, content = content, permissions = startswith(path, "/opt/nowhere/api-") ? "0755" : "0644" }]

  user_data = "#cloud-config\n${yamlencode({ write_files = local.files, runcmd = [["/opt/nowhere/api-setup"]] })}"
}

data "aws_ssm_parameter" "amazon_linux" {
  name = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
}

resource "aws_instance" "api" {
  # checkov:skip=CKV_AWS_126: The CloudWatch agent reports every minute; detailed monitoring would be paid twice.
  ami                         = data.aws_ssm_parameter.amazon_linux.value
  instance_type               = var.instance_type
  subnet_id                   = var.core.private_subnet_id
  vpc_security_group_ids      = [var.core.machine_security_group_id, aws_security_group.api.id]
  key_name                    = var.core.key_name
  iam_instance_profile        = aws_iam_instance_profile.api.name
  ebs_optimized               = true
  user_data_base64            = base64gzip(local.user_data)
  user_data_replace_on_change = true
  tags                        = merge(local.tags, { Name = local.name, Role = "api" })
  volume_tags                 = merge(local.tags, { Name = local.name })

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1 # containers use the machine's network
  }

  root_block_device {
    volume_type = "gp3"
    volume_size = 16
    encrypted   = true
  }

  lifecycle {
    ignore_changes = [ami] # a newer image of Amazon Linux is no reason to replace it
  }

  depends_on = [aws_iam_role_policy.api, aws_iam_role_policy_attachment.machine]
}
