# What the training machine may do: its own folder of the bucket, the packed data, and what every machine may.

locals {
  data_in_s3 = startswith(var.packed_data, "s3://")
  # s3://bucket/folder -> bucket, folder
  data_bucket = local.data_in_s3 ? split("/", var.packed_data)[2] : ""
  data_folder = local.data_in_s3 ? trimsuffix(trimprefix(var.packed_data, "s3://${local.data_bucket}/"), "/") : ""
}

data "aws_partition" "current" {}

data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "train" {
  statement {
    sid = "SlimCheckpoints"
    actions = [
      "s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts",
    ]
    resources = ["${var.core.bucket_arn}/${var.run_name}/*"]
  }

  statement {
    sid       = "ListSlimCheckpoints"
    actions   = ["s3:ListBucket", "s3:ListBucketMultipartUploads"]
    resources = [var.core.bucket_arn]

    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["${var.run_name}/*"]
    }
  }

  dynamic "statement" {
    for_each = local.data_in_s3 ? [1] : []
    content {
      sid       = "PackedData"
      actions   = ["s3:GetObject"]
      resources = ["arn:${data.aws_partition.current.partition}:s3:::${local.data_bucket}/${local.data_folder}/*"]
    }
  }

  dynamic "statement" {
    for_each = local.data_in_s3 ? [1] : []
    content {
      sid       = "ListPackedData"
      actions   = ["s3:ListBucket"]
      resources = ["arn:${data.aws_partition.current.partition}:s3:::${local.data_bucket}"]

      condition {
        test     = "StringLike"
        variable = "s3:prefix"
        values   = [local.data_folder, "${local.data_folder}/*"]
      }
    }
  }
}

resource "aws_iam_role" "train" {
  name               = local.name
  assume_role_policy = data.aws_iam_policy_document.assume.json
  tags               = local.tags
}

resource "aws_iam_role_policy" "train" {
  name   = "checkpoints-and-data"
  role   = aws_iam_role.train.id
  policy = data.aws_iam_policy_document.train.json
}

resource "aws_iam_role_policy_attachment" "machine" {
  role       = aws_iam_role.train.name
  policy_arn = var.core.machine_policy_arn
}

resource "aws_iam_instance_profile" "train" {
  name = local.name
  role = aws_iam_role.train.name
  tags = local.tags
}
