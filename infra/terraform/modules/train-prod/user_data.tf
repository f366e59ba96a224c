# What cloud-init writes to the machine, and the script that it runs once. The scripts are plain files, without placeholders.

locals {
  scripts = "${path.module}/../../user-data"

  settings = {
    name             = var.core.name
    region           = var.core.region
    efs_id           = var.core.efs_id
    bucket           = var.core.bucket
    image            = local.image
    accelerator      = local.accelerator
    run_name         = var.run_name
    run_user         = var.run_user
    spot             = tostring(var.spot)
    start_training   = tostring(var.start_training)
    halt_when_done   = tostring(var.halt_when_done)
    data_storage     = var.data_storage
    data_volume_id   = join("", aws_ebs_volume.data[*].id)
    packed_data      = var.packed_data
    agent_parameters = join(" ", [for key in ["machine", local.accelerator] : var.core.agent_parameters[key] if key != "habana"])
  }

  programs = {
    train-setup = "train-setup.sh"
    train-data  = "train-data.sh"
    train-run   = "train-run.sh"
    train-ended = "train-ended.sh"
    spot-watch  = "spot-watch.sh"
    hpu-figures = "hpu-figures.sh"
    "common.sh" = "common.sh"
  }

  units = [
    "nowhere-train.service", "nowhere-data.service", "nowhere-spot-watch.service", "nowhere-hpu-figures.service",
    "nowhere-hpu-figures.timer",
  ]

  files = concat(
    [
      {
        path        = "/opt/nowhere/settings"
        content     = join("", [for key, value in local.settings : "${key}='${replace(value, "'", "'\\''")}'\n"])
        permissions = "0644"
      },
      {
        path        = "/opt/nowhere/train-arguments"
        content     = join("", [for argument in var.train_arguments : "${argument}\n"])
        permissions = "0644"
      },
    ],
    [for name, file in local.programs : {
      path        = "/opt/nowhere/${name}"
      content     = file("${local.scripts}/${file}")
      permissions = "0755"
    }],
    [for unit in local.units : {
      path        = "/etc/systemd/system/${unit}"
      content     = file("${local.scripts}/${unit}")
      permissions = "0644"
    }],
  )

  user_data = "#cloud-config\n${yamlencode({ write_files = local.files, runcmd = [["/opt/nowhere/train-setup"]] })}"
}
