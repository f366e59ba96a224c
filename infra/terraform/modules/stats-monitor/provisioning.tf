# What Prometheus reads from whom, and what Grafana shows: rules and dashboards by way of the bucket, the rest by cloud-init.

locals {
  scripts    = "${path.module}/../../user-data"
  rules      = var.rules_folder == "" ? "${path.module}/../../../prometheus" : var.rules_folder
  dashboards = var.dashboards_folder == "" ? "${path.module}/../../../grafana" : var.dashboards_folder

  settings = {
    name                 = var.core.name
    region               = var.core.region
    efs_id               = var.core.efs_id
    bucket               = var.core.bucket
    run_user             = var.run_user
    agent_parameters     = var.core.agent_parameters["machine"]
    retention_days       = tostring(var.retention_days)
    prometheus_image     = var.prometheus_image
    grafana_image        = var.grafana_image
    python_image         = var.python_image
    tensorboard_packages = join(" ", var.tensorboard_packages)
  }

  # Machines are found by their tags, so it does not matter which of them is there first. Role -> port.
  jobs = {
    nowhere-train = { role = "train", port = 9105 }
    nowhere-serve = { role = "api", port = 8080 }
    node          = { role = "*", port = 9100 }
  }

  prometheus = {
    global     = { scrape_interval = "15s", evaluation_interval = "15s" }
    rule_files = ["/etc/prometheus/rules/*.yml"]
    scrape_configs = [for job, target in local.jobs : {
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
    }]
  }

  datasources = {
    apiVersion = 1
    datasources = [{
      name      = "Prometheus"
      uid       = "prometheus"
      type      = "prometheus"
      access    = "proxy"
      url       = "http://localhost:9090"
      isDefault = true
    }]
  }

  providers = {
    apiVersion = 1
    providers  = [{ name = "nowhere", type = "file", options = { path = "/etc/grafana/dashboards" } }]
  }

  files = [for path, content in {
    "/opt/nowhere/settings"                                 = join("", [for key, value in local.settings : "${key}='${replace(value, "'", "'\\''")}'\n"])
    "/opt/nowhere/common.sh"                                = file("${local.scripts}/common.sh")
    "/opt/nowhere/stats-setup"                              = file("${local.scripts}/stats-setup.sh")
    "/etc/prometheus/prometheus.yml"                        = yamlencode(local.prometheus)
    "/etc/grafana/provisioning/datasources/prometheus.yaml" = yamlencode(local.datasources)
    "/etc/grafana/provisioning/dashboards/nowhere.yaml"     = yamlencode(local.providers)
  } : { path = path, content = content, permissions = endswith(path, "-setup") ? "0755" : "0644" }]

  user_data = "#cloud-config\n${yamlencode({ write_files = local.files, runcmd = [["/opt/nowhere/stats-setup"]] })}"
}

resource "aws_s3_object" "rules" {
  for_each    = setsubtract(fileset(local.rules, "**/*.yml"), fileset(local.rules, "**/prometheus.yml"))
  bucket      = var.core.bucket
  key         = "stats-monitor/rules/${basename(each.value)}"
  source      = "${local.rules}/${each.value}"
  source_hash = filemd5("${local.rules}/${each.value}")
  tags        = local.tags
}

resource "aws_s3_object" "dashboard" {
  for_each    = fileset(local.dashboards, "**/*.json")
  bucket      = var.core.bucket
  key         = "stats-monitor/dashboards/${basename(each.value)}"
  source      = "${local.dashboards}/${each.value}"
  source_hash = filemd5("${local.dashboards}/${each.value}")
  tags        = local.tags
}
