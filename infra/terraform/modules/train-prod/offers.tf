# Where accelerators are offered, by family, and what the module needs to know of them. Published offerings of AWS: DL1, P3 of
# August 2025, the others of October 2026. By then DL1 and P3 (but for p3dn) were no longer listed anywhere for new accounts, so the
# module asks AWS as well (offers in main.tf). Neither has been checked in an account.

locals {
  family      = split(".", var.instance_type)[0]
  accelerator = local.family == "dl1" ? "habana" : "nvidia"

  offered = {
    dl1 = ["us-east-1", "us-west-2"]
    p3 = [
      "ap-northeast-1", "ap-northeast-2", "ap-southeast-1", "ap-southeast-2", "ca-central-1", "eu-central-1", "eu-west-1",
      "eu-west-2", "us-east-1", "us-east-2", "us-west-2",
    ]
    p3dn = ["ap-northeast-1", "eu-west-1", "us-east-1", "us-west-2"]
    p4d = [
      "ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-2", "ca-central-1", "eu-central-1", "eu-north-1",
      "eu-west-1", "eu-west-2", "sa-east-1", "us-east-1", "us-east-2", "us-west-2",
    ]
    p5 = [
      "ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-2", "ap-southeast-3", "ca-central-1", "eu-north-1",
      "eu-west-2", "sa-east-1", "us-east-1", "us-east-2", "us-west-1", "us-west-2",
    ]
    g4dn = [
      "af-south-1", "ap-east-1", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1", "ap-southeast-1",
      "ap-southeast-2", "ca-central-1", "eu-central-1", "eu-north-1", "eu-south-1", "eu-west-1", "eu-west-2", "eu-west-3",
      "me-south-1", "sa-east-1", "us-east-1", "us-east-2", "us-west-1", "us-west-2",
    ]
    g5 = [
      "ap-east-1", "ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-2", "ap-southeast-3", "ca-central-1",
      "eu-central-1", "eu-north-1", "eu-south-2", "eu-west-1", "eu-west-2", "eu-west-3", "il-central-1", "me-central-1",
      "sa-east-1", "us-east-1", "us-east-2", "us-west-2",
    ]
    g6 = [
      "ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-south-2", "ap-southeast-2", "ap-southeast-5", "ca-central-1",
      "eu-central-1", "eu-central-2", "eu-north-1", "eu-south-2", "eu-west-2", "eu-west-3", "me-central-1", "sa-east-1",
      "us-east-1", "us-east-2", "us-west-2",
    ]
    g6e = [
      "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1", "ap-south-2", "eu-central-1", "eu-north-1",
      "eu-south-2", "me-central-1", "us-east-1", "us-east-2", "us-west-2",
    ]
  }

  without_local_nvme = ["p3"]

  # Amazon's machine images with Docker and the accelerator's driver. Current drivers of NVIDIA have left Volta (P3) behind.
  ami_names = {
    dl1  = "Deep Learning AMI Habana PyTorch * (Ubuntu *) *"
    p3   = "Deep Learning Base Proprietary Nvidia Driver AMI (Amazon Linux 2) Version *"
    p3dn = "Deep Learning Base Proprietary Nvidia Driver AMI (Amazon Linux 2) Version *"
  }
  ami_name = lookup(local.ami_names, local.family, "Deep Learning Base OSS Nvidia Driver GPU AMI (Amazon Linux 2023) *")
}
