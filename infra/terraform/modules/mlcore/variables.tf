variable "name" {
  description = "What the names of all resources begin with."
  type        = string
  default     = "nowhere"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,19}$", var.name))
    error_message = "name: 2 to 20 lower-case letters, digits and hyphens, the first a letter."
  }
}

variable "tags" {
  description = "Tags of all resources, beside Project and Module."
  type        = map(string)
  default     = {}
}

variable "region" {
  description = "The region of the provider. Where accelerators are offered, train-prod checks."
  type        = string
  default     = "us-east-1"

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]$", var.region))
    error_message = "region: a region such as us-east-1."
  }
}

variable "zone" {
  description = "The zone of the machines, by its letter. Letters differ between accounts: train-prod looks up what the zone offers."
  type        = string
  default     = "a"

  validation {
    condition     = can(regex("^[a-f]$", var.zone))
    error_message = "zone: one letter, a to f."
  }
}

variable "second_zone" {
  description = "The zone of the second public subnet, by its letter. A load balancer needs two."
  type        = string
  default     = "b"

  validation {
    condition     = can(regex("^[a-f]$", var.second_zone)) && var.second_zone != var.zone
    error_message = "second_zone: one letter, a to f, other than zone."
  }
}

variable "cidr_block" {
  description = "The addresses of the network; a /16 to a /24, of which each of three subnets gets a sixteenth."
  type        = string
  default     = "10.20.0.0/16"

  validation {
    condition     = can(cidrhost(var.cidr_block, 0)) && can(regex("/(1[6-9]|2[0-4])$", var.cidr_block))
    error_message = "cidr_block: an IPv4 block of /16 to /24, such as 10.20.0.0/16."
  }
}

variable "ssh_cidr_blocks" {
  description = "Who may open SSH connections to the jump host: your own addresses, such as [\"203.0.113.7/32\"]."
  type        = list(string)

  validation {
    condition = length(var.ssh_cidr_blocks) > 0 && alltrue([
      for block in var.ssh_cidr_blocks : can(cidrhost(block, 0)) && can(regex("/(1[6-9]|2[0-9]|3[0-2])$", block))
    ])
    error_message = "ssh_cidr_blocks: at least one IPv4 block of /16 to /32; the world (0.0.0.0/0) is refused."
  }
}

variable "ssh_public_key" {
  description = "The public key that all machines accept, as ~/.ssh/id_ed25519.pub holds it."
  type        = string

  validation {
    condition     = can(regex("^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp[0-9]+) [A-Za-z0-9+/=]+", var.ssh_public_key))
    error_message = "ssh_public_key: the text of a public key, not its file name; never a private one."
  }
}

variable "jump_instance_type" {
  description = "The jump host only forwards connections."
  type        = string
  default     = "t3.micro"

  validation {
    condition     = can(regex("^t3a?\\.(nano|micro|small)$", var.jump_instance_type))
    error_message = "jump_instance_type: a small x86 type, such as t3.micro."
  }
}

variable "bucket_name" {
  description = "The bucket for slim checkpoints and packed data; the name is unique in the world. Empty: AWS makes one up."
  type        = string
  default     = ""

  validation {
    condition     = var.bucket_name == "" || can(regex("^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$", var.bucket_name))
    error_message = "bucket_name: 3 to 63 lower-case letters, digits and hyphens."
  }
}

variable "force_destroy" {
  description = "Whether destroy deletes the bucket with all checkpoints in it. false: destroy fails while it holds any."
  type        = bool
  default     = false
}

variable "keep_versions_days" {
  description = "For how many days the bucket keeps what was overwritten or deleted."
  type        = number
  default     = 30

  validation {
    condition     = var.keep_versions_days >= 1 && var.keep_versions_days <= 365
    error_message = "keep_versions_days: 1 to 365."
  }
}

variable "ecr_repository_arns" {
  description = "Repositories of ECR that machines may pull images from. Empty for images of a public registry."
  type        = list(string)
  default     = []

  validation {
    condition     = alltrue([for arn in var.ecr_repository_arns : can(regex("^arn:aws[a-z-]*:ecr:", arn))])
    error_message = "ecr_repository_arns: ARNs of repositories, arn:aws:ecr:..."
  }
}

variable "budget_dollars" {
  description = "Above this amount a month (spent, or expected by the forecast) AWS writes to budget_email."
  type        = number
  default     = 100

  validation {
    condition     = var.budget_dollars >= 1
    error_message = "budget_dollars: at least 1."
  }
}

variable "budget_email" {
  description = "Who is told about the money. Empty: nobody, which is not advised."
  type        = string
  default     = ""

  validation {
    condition     = var.budget_email == "" || can(regex("^[^@ ]+@[^@ ]+\\.[^@ ]+$", var.budget_email))
    error_message = "budget_email: an address such as me@example.org, or nothing."
  }
}
