# A notebook instance of SageMaker in the private subnet: the notebooks in place, EFS mounted, figures to CloudWatch.

locals {
  name      = "${var.core.name}-notebook"
  tags      = merge(var.core.tags, { Project = var.core.name, Module = "train-dev" })
  scripts   = "${path.module}/../../user-data"
  notebooks = var.notebooks_folder == "" ? "${path.module}/../../../../notebooks" : var.notebooks_folder
  package   = "${path.module}/../../../../python/msls" # what the notebooks import

  settings = {
    name             = var.core.name
    region           = var.core.region
    efs_id           = var.core.efs_id
    bucket           = var.core.bucket
    image            = var.image
    run_user         = var.run_user
    agent_parameters = var.core.agent_parameters["machine"]
  }

  # There is no cloud-init here: one script, at most 16,384 characters in base64.
  start_script = join("\n", [
    "#!/bin/bash",
    "set -euo pipefail",
    "mkdir -p /opt/nowhere",
    "cat >/opt/nowhere/settings <<'END_OF_SETTINGS'",
    join("\n", [for key, value in local.settings : "${key}='${replace(value, "'", "'\\''")}'"]),
    "END_OF_SETTINGS",
    "cat >/opt/nowhere/common.sh <<'END_OF_COMMON'",
    file("${local.scripts}/common.sh"),
    "END_OF_COMMON",
    file("${local.scripts}/notebook-start.sh"),
  ])
}

resource "aws_s3_object" "notebook" {
  for_each     = fileset(local.notebooks, "*.ipynb")
  bucket       = var.core.bucket
  key          = "train-dev/notebooks/${each.value}"
  source       = "${local.notebooks}/${each.value}"
  source_hash  = filemd5("${local.notebooks}/${each.value}")
  content_type = "application/x-ipynb+json"
  tags         = local.tags
}

resource "aws_s3_object" "package" {
  for_each    = fileset(local.package, "*.py")
  bucket      = var.core.bucket
  key         = "train-dev/msls/${each.value}"
  source      = "${local.package}/${each.value}"
  source_hash = filemd5("${local.package}/${each.value}")
  tags        = local.tags
}

resource "aws_sagemaker_notebook_instance_lifecycle_configuration" "start" {
  name     = local.name
  on_start = base64encode(local.start_script)
}

resource "aws_sagemaker_notebook_instance" "this" {
  # checkov:skip=CKV_AWS_22: Encrypted with AWS's key. One of our own costs a dollar a month and outlives destroy by a week.
  # checkov:skip=CKV_AWS_187: The same.
  # checkov:skip=CKV_AWS_307: Notebooks start containers, for which Docker wants root; it is the machine of one person.
  name                   = local.name
  role_arn               = aws_iam_role.notebook.arn
  instance_type          = var.instance_type
  platform_identifier    = var.platform
  volume_size            = var.volume_gib
  subnet_id              = var.core.private_subnet_id
  security_groups        = [var.core.machine_security_group_id]
  direct_internet_access = "Disabled" # through the NAT gateway
  root_access            = "Enabled"
  lifecycle_config_name  = aws_sagemaker_notebook_instance_lifecycle_configuration.start.name
  tags                   = merge(local.tags, { Name = local.name, Role = "notebook" })

  instance_metadata_service_configuration {
    minimum_instance_metadata_service_version = "2"
  }

  depends_on = [aws_s3_object.notebook, aws_s3_object.package, aws_iam_role_policy.notebook, aws_iam_role_policy_attachment.machine]
}

data "aws_network_interface" "notebook" {
  id = aws_sagemaker_notebook_instance.this.network_interface_id
}
