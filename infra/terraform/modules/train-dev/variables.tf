variable "core" {
  description = "The outputs of mlcore."
  type = object({
    name                      = string
    tags                      = map(string)
    region                    = string
    private_subnet_id         = string
    machine_security_group_id = string
    machine_policy_arn        = string
    efs_id                    = string
    bucket                    = string
    bucket_arn                = string
    agent_parameters          = map(string)
  })
}

variable "instance_type" {
  description = "The notebook instance. The reference's ml.p2.xlarge is no longer offered; notebooks need no accelerator."
  type        = string
  default     = "ml.t3.medium"

  validation {
    condition     = can(regex("^ml\\.[a-z0-9]+\\.[a-z0-9]+$", var.instance_type))
    error_message = "instance_type: a type of SageMaker, such as ml.t3.medium or ml.g4dn.xlarge."
  }
}

variable "platform" {
  description = "SageMaker's platform for notebook instances."
  type        = string
  default     = "notebook-al2023-v1"

  validation {
    condition     = can(regex("^notebook-al20?[0-9]+-v[0-9]+$", var.platform))
    error_message = "platform: such as notebook-al2023-v1."
  }
}

variable "volume_gib" {
  description = "The disk of the notebook instance."
  type        = number
  default     = 50

  validation {
    condition     = var.volume_gib >= 5 && var.volume_gib <= 16384
    error_message = "volume_gib: 5 to 16384."
  }
}

variable "image" {
  description = "The container image with the program, which the notebooks drive."
  type        = string
  default     = "nowhere:latest"

  validation {
    condition     = can(regex("^[a-z0-9][a-zA-Z0-9._:/@-]+$", var.image))
    error_message = "image: a name as docker pull takes it."
  }
}

variable "run_user" {
  description = "The user and group that the container runs as, by number; the same as in train-prod."
  type        = string
  default     = "10001:10001"

  validation {
    condition     = can(regex("^[1-9][0-9]*:[1-9][0-9]*$", var.run_user))
    error_message = "run_user: two numbers above 0, such as 10001:10001; not root."
  }
}

variable "notebooks_folder" {
  description = "The folder of notebooks (.ipynb) to put in place. Empty: those of this repository."
  type        = string
  default     = ""
}
