# What the notebooks may do: read the bucket, and what every machine may. They write no log of SageMaker's, which would make a log
# group that destroy knows nothing of.

data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["sagemaker.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "notebook" {
  statement {
    sid       = "ReadTheBucket"
    actions   = ["s3:GetObject"]
    resources = ["${var.core.bucket_arn}/*"]
  }

  statement {
    sid       = "ListTheBucket"
    actions   = ["s3:ListBucket"]
    resources = [var.core.bucket_arn]
  }
}

resource "aws_iam_role" "notebook" {
  name               = local.name
  assume_role_policy = data.aws_iam_policy_document.assume.json
  tags               = local.tags
}

resource "aws_iam_role_policy" "notebook" {
  name   = "checkpoints"
  role   = aws_iam_role.notebook.id
  policy = data.aws_iam_policy_document.notebook.json
}

resource "aws_iam_role_policy_attachment" "machine" {
  role       = aws_iam_role.notebook.name
  policy_arn = var.core.machine_policy_arn
}
