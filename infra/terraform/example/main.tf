# All modules, wired together. Only mlcore is on by itself; every other one is switched on by a variable, because each costs money
# from the minute it is there: infra/README.md.

terraform {
  required_version = ">= 1.9"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.25"
    }
  }

  # Which bucket holds the state is given to init: state.s3.tfbackend.example.
  backend "s3" {}
}

provider "aws" {
  region = var.region
}

module "mlcore" {
  source              = "../modules/mlcore"
  name                = var.name
  tags                = var.tags
  region              = var.region
  zone                = var.zone
  second_zone         = var.second_zone
  ssh_cidr_blocks     = var.ssh_cidr_blocks
  ssh_public_key      = var.ssh_public_key
  ecr_repository_arns = var.ecr_repository_arns
  force_destroy       = var.force_destroy
  budget_dollars      = var.budget_dollars
  budget_email        = var.budget_email
}

module "train_prod" {
  source          = "../modules/train-prod"
  count           = var.train_prod ? 1 : 0
  core            = module.mlcore
  instance_type   = var.train_instance_type
  spot            = var.spot
  image           = var.cuda_image
  habana_image    = var.habana_image
  run_name        = var.run_name
  train_arguments = var.train_arguments
  data_storage    = var.data_storage
  packed_data     = var.packed_data
}

module "train_dev" {
  source = "../modules/train-dev"
  count  = var.train_dev ? 1 : 0
  core   = module.mlcore
  image  = var.image
}

module "stats_monitor" {
  source = "../modules/stats-monitor"
  count  = var.stats_monitor ? 1 : 0
  core   = module.mlcore

  tensorboard_image = var.tensorboard_image
}

module "api" {
  source      = "../modules/api"
  count       = var.api ? 1 : 0
  core        = module.mlcore
  domain_name = var.domain_name
  zone_name   = var.zone_name
  image       = var.image
  run_name    = var.run_name
}
