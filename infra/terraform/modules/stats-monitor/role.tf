# What the machine may do: read its own files in the bucket, find machines, and what every machine may.

data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "stats" {
  # checkov:skip=CKV_AWS_356: DescribeInstances knows no resources.
  statement {
    sid       = "OwnFiles"
    actions   = ["s3:GetObject"]
    resources = ["${var.core.bucket_arn}/stats-monitor/*"]
  }

  statement {
    sid       = "ListOwnFiles"
    actions   = ["s3:ListBucket"]
    resources = [var.core.bucket_arn]

    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["stats-monitor/*"]
    }
  }

  statement {
    sid       = "FindMachines"
    actions   = ["ec2:DescribeInstances", "ec2:DescribeAvailabilityZones"]
    resources = ["*"]
  }
}

resource "aws_iam_role" "stats" {
  name               = local.name
  assume_role_policy = data.aws_iam_policy_document.assume.json
  tags               = local.tags
}

resource "aws_iam_role_policy" "stats" {
  name   = "files-and-machines"
  role   = aws_iam_role.stats.id
  policy = data.aws_iam_policy_document.stats.json
}

resource "aws_iam_role_policy_attachment" "machine" {
  role       = aws_iam_role.stats.name
  policy_arn = var.core.machine_policy_arn
}

resource "aws_iam_instance_profile" "stats" {
  name = local.name
  role = aws_iam_role.stats.name
  tags = local.tags
}
