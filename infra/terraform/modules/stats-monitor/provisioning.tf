# What Prometheus reads from whom, and what Grafana shows: rules and dashboards by way of the bucket, the rest by cloud-init.

locals {
  scripts = "${path.module}/../../user-data"
  rules   = var.rules_folder == "" ? "${path.module}/../../../prometheus" : var.rules_folder
  grafana = var.grafana_folder == "" ? "${path.module}/../../../grafana" : var.grafana_folder

  # Rules, but neither their tests nor the configuration for one machine.
  rule_names    = toset([for file in fileset(local.rules, "*.yml") : file if !can(regex("_test\\.yml$|^prometheus\\.yml$", file))])
  grafana_names = setunion(fileset(local.grafana, "provisioning/**/*.yaml"), fileset(local.grafana, "dashboards/*.json"))

  settings = {
    name              = var.core.name
    region            = var.core.region
    efs_id            = var.core.efs_id
    bucket            = var.core.bucket
    run_user          = var.run_user
    agent_parameters  = var.core.agent_parameters["machine"]
    retention_days    = tostring(var.retention_days)
    prometheus_image  = var.prometheus_image
    grafana_image     = var.grafana_image
    tensorboard_image = var.tensorboard_image
  }

  # Machines are found by their tags, so it does not matter which of them is there first. The names of the jobs are those that
  # infra/prometheus has, because dashboards and alerts tell a run from its gallery by them.
  jobs = {
    train = { role = "train", port = 9400 }
    serve = { role = "api", port = 8080 }
    node  = { role = "*", port = 9100 }
  }

  own_job = { job_name = "prometheus", static_configs = [{ targets = ["localhost:9090"] }] }

  prometheus = {
    global     = { scrape_interval = "15s", evaluation_interval = "15s" }
    rule_files = ["/etc/prometheus/rules/*.yml"]
    scrape_configs = concat([local.own_job], [for job, target in local.jobs : {
      job_name = job
      ec2_sd_configs = [{
        region = var.core.region
        port   = target.port
        filters = [
          { name = "tag:Project", values = [var.core.name] },
          { name = "tag:Role", values = [target.role] },
          { name = "instance-state-name", values = ["running"] },
        ]
      }]
      relabel_configs = [{ source_labels = ["__meta_ec2_tag_Name"], target_label = "machine" }]
    }])
  }

  files = [for path, content in {
    "/opt/nowhere/settings"          = join("", [for key, value in local.settings : "${key}='${replace(value, "'", "'\\''")}'\n"])
    "/opt/nowhere/common.sh"         = file("${local.scripts}/common.sh")
    "/opt/nowhere/stats-setup"       = file("${local.scripts}/stats-setup.sh")
    "/etc/prometheus/prometheus.yml" = yamlencode(local.prometheus)
  } : { path = path, content = content, permissions = endswith(path, "-setup") ? "0755" : "0644" }]

  user_data = "#cloud-config\n${yamlencode({ write_files = local.files, runcmd = [["/opt/nowhere/stats-setup"]] })}"
}

resource "aws_s3_object" "rules" {
  for_each    = local.rule_names
  bucket      = var.core.bucket
  key         = "stats-monitor/rules/${each.value}"
  source      = "${local.rules}/${each.value}"
  source_hash = filemd5("${local.rules}/${each.value}")
  tags        = local.tags
}

resource "aws_s3_object" "grafana" {
  for_each    = local.grafana_names
  bucket      = var.core.bucket
  key         = "stats-monitor/grafana/${each.value}"
  source      = "${local.grafana}/${each.value}"
  source_hash = filemd5("${local.grafana}/${each.value}")
  tags        = local.tags
}
