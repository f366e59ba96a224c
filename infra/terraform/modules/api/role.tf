# What the machine may do: read the checkpoints of its run, and what every machine may.

data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "api" {
  statement {
    sid       = "ReadSlimCheckpoints"
    actions   = ["s3:GetObject"]
    resources = ["${var.core.bucket_arn}/${var.run_name}/*"]
  }

  statement {
    sid       = "ListSlimCheckpoints"
    actions   = ["s3:ListBucket"]
    resources = [var.core.bucket_arn]

    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["${var.run_name}/*"]
    }
  }
}

resource "aws_iam_role" "api" {
  name               = local.name
  assume_role_policy = data.aws_iam_policy_document.assume.json
  tags               = local.tags
}

resource "aws_iam_role_policy" "api" {
  name   = "checkpoints"
  role   = aws_iam_role.api.id
  policy = data.aws_iam_policy_document.api.json
}

resource "aws_iam_role_policy_attachment" "machine" {
  role       = aws_iam_role.api.name
  policy_arn = var.core.machine_policy_arn
}

resource "aws_iam_instance_profile" "api" {
  name = local.name
  role = aws_iam_role.api.name
  tags = local.tags
}
