# Values are checked by the modules; what they are for is said there at more length.

variable "name" {
  description = "What the names of all resources begin with."
  type        = string
  default     = "nowhere"
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
  default     = {}
}

variable "region" {
  description = "The region. DL1: us-east-1, us-west-2."
  type        = string
  default     = "us-east-1"
}

variable "zone" {
  description = "The zone of the machines, by its letter."
  type        = string
  default     = "a"
}

variable "second_zone" {
  description = "A second zone, for the load balancer."
  type        = string
  default     = "b"
}

variable "ssh_cidr_blocks" {
  description = "Who may open SSH connections to the jump host, such as [\"203.0.113.7/32\"]."
  type        = list(string)
}

variable "ssh_public_key" {
  description = "The public key that all machines accept."
  type        = string
}

variable "ecr_repository_arns" {
  description = "Repositories of ECR that machines may pull images from."
  type        = list(string)
  default     = []
}

variable "force_destroy" {
  description = "Whether destroy deletes the bucket with all checkpoints in it."
  type        = bool
  default     = false
}

variable "budget_dollars" {
  description = "Above this amount a month AWS writes to budget_email."
  type        = number
  default     = 100
}

variable "budget_email" {
  description = "Who is told about the money."
  type        = string
  default     = ""
}

variable "image" {
  description = "The container image with the program for CPUs."
  type        = string
  default     = "nowhere:latest"
}

variable "cuda_image" {
  description = "The container image with the program for CUDA."
  type        = string
  default     = "nowhere:cuda"
}

variable "habana_image" {
  description = "The container image for DL1."
  type        = string
  default     = "nowhere-habana:latest"
}

variable "tensorboard_image" {
  description = "The container image with TensorBoard."
  type        = string
  default     = "nowhere-tensorboard:latest"
}

variable "run_name" {
  description = "The run that is trained and shown."
  type        = string
  default     = "msls"
}

variable "train_prod" {
  description = "Whether there is a training machine."
  type        = bool
  default     = false
}

variable "train_instance_type" {
  description = "The training machine: dl1.24xlarge, p3.2xlarge, g5.xlarge and so on."
  type        = string
  default     = "g5.xlarge"
}

variable "spot" {
  description = "Whether it is a spot instance."
  type        = bool
  default     = true
}

variable "train_arguments" {
  description = "More arguments of nowhere train."
  type        = list(string)
  default     = ["--preset", "safe-128"]
}

variable "data_storage" {
  description = "Where the packed data are read from: gp3 or nvme."
  type        = string
  default     = "gp3"
}

variable "packed_data" {
  description = "The folder of packed files that are copied to that disk before training."
  type        = string
  default     = ""
}

variable "train_dev" {
  description = "Whether there is a notebook instance."
  type        = bool
  default     = false
}

variable "stats_monitor" {
  description = "Whether there is a machine with Prometheus, Grafana and TensorBoard."
  type        = bool
  default     = false
}

variable "api" {
  description = "Whether the gallery is on the internet."
  type        = bool
  default     = false
}

variable "domain_name" {
  description = "The name of the gallery; needed for api."
  type        = string
  default     = ""
}

variable "zone_name" {
  description = "The hosted zone of Route 53 that the name is in; needed for api."
  type        = string
  default     = ""
}
