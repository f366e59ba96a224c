# What the notebooks may do: read runs' checkpoints in the bucket, log, and what every machine may.

data "aws_partition" "current" {}

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

  statement {
    sid     = "LogOfTheInstance"
    actions = ["logs:CreateLogStream", "logs:PutLogEvents", "logs:CreateLogGroup"]
    resources = [
      "arn:${data.aws_partition.current.partition}:logs:${var.core.region}:*:log-group:/aws/sagemaker/NotebookInstances*",
    ]
  }
}

resource "aws_iam_role" "notebook" {
  name               = local.name
  assume_role_policy = data.aws_iam_policy_document.assume.json
  tags               = local.tags
}

resource "aws_iam_role_policy" "notebook" {
  name   = "checkpoints-and-log"
  role   = aws_iam_role.notebook.id
  policy = data.aws_iam_policy_document.notebook.json
}

resource "aws_iam_role_policy_attachment" "machine" {
  role       = aws_iam_role.notebook.name
  policy_arn = var.core.machine_policy_arn
}
