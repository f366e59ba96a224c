variable "core" {
  description = "The outputs of mlcore."
  type = object({
    name                      = string
    tags                      = map(string)
    region                    = string
    zone                      = string
    private_subnet_id         = string
    machine_security_group_id = string
    machine_policy_arn        = string
    key_name                  = string
    efs_id                    = string
    bucket                    = string
    bucket_arn                = string
    agent_parameters          = map(string)
  })
}

variable "instance_type" {
  description = "The machine with the accelerators. Look at its price first: infra/README.md."
  type        = string

  validation {
    condition     = contains(keys(local.offered), split(".", var.instance_type)[0])
    error_message = "instance_type: one of the families ${join(", ", keys(local.offered))}, such as dl1.24xlarge or g5.xlarge."
  }

  validation {
    condition     = contains(lookup(local.offered, split(".", var.instance_type)[0], [var.core.region]), var.core.region)
    error_message = "instance_type: ${var.instance_type} is offered in ${join(", ", lookup(local.offered, split(".", var.instance_type)[0], []))} only."
  }
}

variable "spot" {
  description = "A spot instance: about a third of the price, taken back with two minutes' notice, on which training saves."
  type        = bool
  default     = false
}

variable "spot_max_price" {
  description = "The most to pay for an hour of the spot instance, in dollars. Empty: up to the price on demand."
  type        = string
  default     = ""

  validation {
    condition     = var.spot_max_price == "" || can(regex("^[0-9]+(\\.[0-9]+)?$", var.spot_max_price))
    error_message = "spot_max_price: dollars an hour, such as 3.93, or nothing."
  }
}

variable "image" {
  description = "The container image with a program for CUDA (infra/docker)."
  type        = string
  default     = "nowhere:cuda"

  validation {
    condition     = can(regex("^[a-z0-9][a-zA-Z0-9._:/@-]+$", var.image))
    error_message = "image: a name as docker pull takes it."
  }
}

variable "habana_image" {
  description = "The container image for DL1, on Habana's base; it takes the place of image there."
  type        = string
  default     = "nowhere-habana:latest"

  validation {
    condition     = can(regex("^[a-z0-9][a-zA-Z0-9._:/@-]+$", var.habana_image))
    error_message = "habana_image: a name as docker pull takes it."
  }
}

variable "ami_id" {
  description = "The machine's own image, with Docker and the accelerator's driver. Empty: Amazon's newest for the family."
  type        = string
  default     = ""

  validation {
    condition     = var.ami_id == "" || can(regex("^ami-[0-9a-f]{8,17}$", var.ami_id))
    error_message = "ami_id: an id such as ami-0123456789abcdef0, or nothing."
  }
}

variable "run_name" {
  description = "The run: /efs/runs/NAME on the machines, s3://BUCKET/NAME for its slim checkpoints."
  type        = string
  default     = "msls"

  validation {
    condition     = can(regex("^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$", var.run_name))
    error_message = "run_name: letters, digits, dots, hyphens and underscores."
  }
}

variable "train_arguments" {
  description = "More arguments of nowhere train. Data, root, name, bucket, metrics and --resume are set by the module."
  type        = list(string)
  default     = ["--preset", "safe-128"]

  validation {
    condition = length(setintersection(var.train_arguments, [
      "--dataroot", "--root", "--name", "--s3_bucket", "--s3-bucket", "--metrics-port", "--metrics-host", "--resume",
    ])) == 0 && !anytrue([for argument in var.train_arguments : strcontains(argument, "\n")])
    error_message = "train_arguments: without what the module sets itself, and without line breaks."
  }
}

variable "run_user" {
  description = "The user and group that the container runs as, by number; runs on EFS belong to it."
  type        = string
  default     = "10001:10001"

  validation {
    condition     = can(regex("^[1-9][0-9]*:[1-9][0-9]*$", var.run_user))
    error_message = "run_user: two numbers above 0, such as 10001:10001; not root."
  }
}

variable "start_training" {
  description = "Whether training begins by itself at the start of the machine. false: systemctl start nowhere-train."
  type        = bool
  default     = true
}

variable "halt_when_done" {
  description = "Whether the machine halts when the run is complete. A halted machine costs only its disks; a spot one is gone."
  type        = bool
  default     = true
}

variable "data_storage" {
  description = "Where the packed data are read from: gp3, a volume of its own that stays; nvme, the machine's local disks."
  type        = string
  default     = "gp3"

  validation {
    condition     = contains(["gp3", "nvme"], var.data_storage)
    error_message = "data_storage: gp3 or nvme."
  }

  validation {
    condition     = var.data_storage != "nvme" || !contains(local.without_local_nvme, local.family)
    error_message = "data_storage: ${var.instance_type} has no local NVMe; use gp3."
  }

  validation {
    condition     = var.data_storage != "nvme" || var.packed_data != ""
    error_message = "data_storage: local NVMe is empty at every start; set packed_data, from where it is filled."
  }
}

variable "packed_data" {
  description = "The folder of packed files (.nwp) that are copied to the disk before training: s3://bucket/folder, or one below /efs. Empty: they are put into /data/packed by hand."
  type        = string
  default     = ""

  validation {
    condition     = var.packed_data == "" || can(regex("^(s3://[a-z0-9][a-z0-9.-]+/[^'*?]+|/efs/[^'*?]+)$", var.packed_data))
    error_message = "packed_data: s3://bucket/folder, a folder below /efs, or nothing."
  }
}

variable "data_volume_gib" {
  description = "The size of the gp3 volume. 940,000 photographs packed for 128 px take about 60 GB."
  type        = number
  default     = 200

  validation {
    condition     = var.data_volume_gib >= 16 && var.data_volume_gib <= 16384
    error_message = "data_volume_gib: 16 to 16384."
  }
}

variable "data_volume_iops" {
  description = "Of the gp3 volume. The reference's 8,000 let a run begin 20 times sooner than 3,000."
  type        = number
  default     = 8000

  validation {
    condition     = var.data_volume_iops >= 3000 && var.data_volume_iops <= min(16000, 500 * var.data_volume_gib)
    error_message = "data_volume_iops: 3000 to 16000, and at most 500 for each GiB."
  }
}

variable "data_volume_throughput" {
  description = "Of the gp3 volume, in MiB/s."
  type        = number
  default     = 1000

  validation {
    condition     = var.data_volume_throughput >= 125 && var.data_volume_throughput <= min(1000, var.data_volume_iops / 4)
    error_message = "data_volume_throughput: 125 to 1000 MiB/s, and at most a quarter of the IOPS."
  }
}
