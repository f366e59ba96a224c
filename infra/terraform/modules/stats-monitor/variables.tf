variable "core" {
  description = "The outputs of mlcore."
  type = object({
    name                      = string
    tags                      = map(string)
    region                    = string
    vpc_id                    = string
    private_subnet_id         = string
    jump_security_group_id    = string
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
  description = "The machine with Prometheus, Grafana and TensorBoard; TensorBoard wants memory for large event files."
  type        = string
  default     = "t3.medium"

  validation {
    condition     = can(regex("^(t3a?|m5a?|m6[ai]|m7[ai])\\.[a-z0-9]+$", var.instance_type))
    error_message = "instance_type: an x86 type of the families t3, m5, m6 or m7, such as t3.medium."
  }
}

variable "run_user" {
  description = "The user and group that runs on EFS belong to, by number; the same as in train-prod."
  type        = string
  default     = "10001:10001"

  validation {
    condition     = can(regex("^[1-9][0-9]*:[1-9][0-9]*$", var.run_user))
    error_message = "run_user: two numbers above 0, such as 10001:10001; not root."
  }
}

variable "retention_days" {
  description = "For how long Prometheus keeps figures."
  type        = number
  default     = 90

  validation {
    condition     = var.retention_days >= 1 && var.retention_days <= 730
    error_message = "retention_days: 1 to 730."
  }
}

variable "volume_gib" {
  description = "The machine's disk, with the figures of Prometheus."
  type        = number
  default     = 30

  validation {
    condition     = var.volume_gib >= 16 && var.volume_gib <= 1024
    error_message = "volume_gib: 16 to 1024."
  }
}

variable "rules_folder" {
  description = "The folder with Prometheus' alert rules (*.yml). Empty: infra/prometheus."
  type        = string
  default     = ""
}

variable "grafana_folder" {
  description = "The folder with Grafana's provisioning/ and dashboards/. Empty: infra/grafana."
  type        = string
  default     = ""
}

variable "prometheus_image" {
  description = "The image of Prometheus, as in infra/docker."
  type        = string
  default     = "prom/prometheus:v2.53.4"
}

variable "grafana_image" {
  description = "The image of Grafana, as in infra/docker."
  type        = string
  default     = "grafana/grafana-oss:11.6.1"
}

variable "tensorboard_image" {
  description = "The image with TensorBoard and its profiler plugin (infra/docker)."
  type        = string
  default     = "nowhere-tensorboard:latest"
}
