# What machines report to CloudWatch, and what every machine may do for it.

locals {
  agent_namespace = var.name

  machine_figures = {
    agent = { metrics_collection_interval = 60 }
    metrics = {
      namespace         = local.agent_namespace
      append_dimensions = { InstanceId = "$${aws:InstanceId}", InstanceType = "$${aws:InstanceType}" }
      metrics_collected = {
        cpu    = { measurement = ["usage_active", "usage_iowait"], totalcpu = true, resources = ["*"] }
        mem    = { measurement = ["used_percent"] }
        disk   = { measurement = ["used_percent"], resources = ["/", "/data", "/efs"] }
        diskio = { measurement = ["read_bytes", "reads", "io_time"], resources = ["*"] }
        net    = { measurement = ["bytes_recv", "bytes_sent"], resources = ["*"] }
      }
    }
  }

  nvidia_figures = {
    metrics = {
      namespace         = local.agent_namespace
      append_dimensions = { InstanceId = "$${aws:InstanceId}", InstanceType = "$${aws:InstanceType}" }
      metrics_collected = {
        nvidia_gpu = {
          measurement = ["utilization_gpu", "utilization_memory", "memory_used", "memory_total", "temperature_gpu", "power_draw"]
        }
      }
    }
  }
}

resource "aws_ssm_parameter" "agent" {
  # checkov:skip=CKV2_AWS_34: The configuration of an agent is no secret.
  # checkov:skip=CKV_AWS_337: The same.
  for_each    = { machine = local.machine_figures, nvidia = local.nvidia_figures }
  name        = "/${var.name}/cloudwatch-agent/${each.key}"
  description = "Configuration of the CloudWatch agent: ${each.key}"
  type        = "String"
  value       = jsonencode(each.value)
  tags        = local.tags
}

data "aws_iam_policy_document" "machine" {
  # checkov:skip=CKV_AWS_356: PutMetricData and GetAuthorizationToken know no resources; the first is held to one namespace.
  # checkov:skip=CKV_AWS_111: The same.
  statement {
    sid       = "SendFigures"
    actions   = ["cloudwatch:PutMetricData"]
    resources = ["*"]

    condition {
      test     = "StringEquals"
      variable = "cloudwatch:namespace"
      values   = [local.agent_namespace]
    }
  }

  statement {
    sid       = "ReadTheAgentsConfiguration"
    actions   = ["ssm:GetParameter"]
    resources = [for parameter in aws_ssm_parameter.agent : parameter.arn]
  }

  dynamic "statement" {
    for_each = length(var.ecr_repository_arns) > 0 ? [1] : []
    content {
      sid       = "PullImages"
      actions   = ["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"]
      resources = var.ecr_repository_arns
    }
  }

  dynamic "statement" {
    for_each = length(var.ecr_repository_arns) > 0 ? [1] : []
    content {
      sid       = "LogInToTheRegistry"
      actions   = ["ecr:GetAuthorizationToken"]
      resources = ["*"]
    }
  }
}

resource "aws_iam_policy" "machine" {
  name        = "${var.name}-machine"
  description = "What every machine may do: send figures, read the agent's configuration, pull images"
  policy      = data.aws_iam_policy_document.machine.json
  tags        = local.tags
}
