variable "core" {
  description = "The outputs of mlcore."
  type = object({
    name                      = string
    tags                      = map(string)
    region                    = string
    vpc_id                    = string
    public_subnet_ids         = list(string)
    private_subnet_id         = string
    machine_security_group_id = string
    machine_policy_arn        = string
    key_name                  = string
    bucket                    = string
    bucket_arn                = string
    agent_parameters          = map(string)
  })
}

variable "domain_name" {
  description = "The name of the gallery, such as streets.example.org."
  type        = string

  validation {
    condition     = can(regex("^([a-z0-9-]+\\.)+[a-z]{2,}$", var.domain_name))
    error_message = "domain_name: a full name in lower case, such as streets.example.org."
  }
}

variable "zone_name" {
  description = "The hosted zone of Route 53 that the name is in, such as example.org. It must exist; it stays after destroy."
  type        = string

  validation {
    condition     = var.domain_name == var.zone_name || endswith(var.domain_name, ".${var.zone_name}")
    error_message = "zone_name: domain_name must end with it."
  }
}

variable "instance_type" {
  description = "The machine that makes pictures, on its CPU."
  type        = string
  default     = "t3.small"

  validation {
    condition     = can(regex("^(t3a?|c5a?|c6[ai]|c7[ai]|m5a?|m6[ai]|m7[ai])\\.[a-z0-9]+$", var.instance_type))
    error_message = "instance_type: an x86 type of the families t3, c5 to c7 or m5 to m7, such as t3.small."
  }
}

variable "image" {
  description = "The container image with the program."
  type        = string
  default     = "nowhere:latest"

  validation {
    condition     = can(regex("^[a-z0-9][a-zA-Z0-9._:/@-]+$", var.image))
    error_message = "image: a name as docker pull takes it."
  }
}

variable "run_name" {
  description = "The run that is shown: s3://BUCKET/NAME, as train-prod uploads it."
  type        = string
  default     = "msls"

  validation {
    condition     = can(regex("^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$", var.run_name))
    error_message = "run_name: letters, digits, dots, hyphens and underscores."
  }
}

variable "serve_arguments" {
  description = "More arguments of nowhere serve. RUN, --follow, host, port and --connections-per-address are set by the module."
  type        = list(string)
  default     = []

  validation {
    condition = length(setintersection(var.serve_arguments, [
      "--follow", "--host", "--port", "--connections-per-address",
    ])) == 0 && !anytrue([for argument in var.serve_arguments : strcontains(argument, "\n")])
    error_message = "serve_arguments: without what the module sets itself, and without line breaks."
  }
}

variable "run_user" {
  description = "The user and group that the container runs as, by number."
  type        = string
  default     = "10001:10001"

  validation {
    condition     = can(regex("^[1-9][0-9]*:[1-9][0-9]*$", var.run_user))
    error_message = "run_user: two numbers above 0, such as 10001:10001; not root."
  }
}
