# EFS for runs, seen by all machines; a bucket for slim checkpoints and packed data.

resource "aws_efs_file_system" "runs" {
  # checkov:skip=CKV_AWS_184: Encrypted with AWS's key. One of our own costs a dollar a month and outlives destroy by a week.
  encrypted        = true
  performance_mode = "generalPurpose"
  throughput_mode  = "elastic" # bursting gave the reference 150 KiB/s for each GiB stored
  tags             = merge(local.tags, { Name = "${var.name}-runs" })

  lifecycle_policy {
    transition_to_ia = "AFTER_30_DAYS"
  }

  lifecycle_policy {
    transition_to_primary_storage_class = "AFTER_1_ACCESS"
  }
}

resource "aws_efs_mount_target" "runs" {
  file_system_id  = aws_efs_file_system.runs.id
  subnet_id       = aws_subnet.private.id
  security_groups = [aws_security_group.efs.id]
}

# Nobody without TLS. Who may come at all, the security group says.
data "aws_iam_policy_document" "efs" {
  statement {
    sid       = "Mount"
    actions   = ["elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite", "elasticfilesystem:ClientRootAccess"]
    resources = [aws_efs_file_system.runs.arn]

    principals {
      type        = "AWS"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["true"]
    }

    condition {
      test     = "Bool"
      variable = "elasticfilesystem:AccessedViaMountTarget"
      values   = ["true"]
    }
  }
}

resource "aws_efs_file_system_policy" "runs" {
  file_system_id = aws_efs_file_system.runs.id
  policy         = data.aws_iam_policy_document.efs.json
}

resource "aws_s3_bucket" "this" {
  # checkov:skip=CKV_AWS_18: An access log needs a second bucket; who may read this one, the roles of the machines say.
  # checkov:skip=CKV_AWS_144: Checkpoints can be trained again; a copy in a second region is not worth its price.
  # checkov:skip=CKV_AWS_145: Encrypted with S3's keys. A key of our own outlives destroy by a week.
  # checkov:skip=CKV2_AWS_62: Nothing waits for events; serve --follow looks for itself.
  bucket        = var.bucket_name == "" ? null : var.bucket_name
  bucket_prefix = var.bucket_name == "" ? "${var.name}-" : null
  force_destroy = var.force_destroy
  tags          = local.tags
}

resource "aws_s3_bucket_public_access_block" "this" {
  bucket                  = aws_s3_bucket.this.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_ownership_controls" "this" {
  bucket = aws_s3_bucket.this.id

  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

resource "aws_s3_bucket_versioning" "this" {
  bucket = aws_s3_bucket.this.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "this" {
  bucket = aws_s3_bucket.this.id

  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "this" {
  bucket = aws_s3_bucket.this.id

  rule {
    id     = "unfinished-uploads-and-old-versions"
    status = "Enabled"

    filter {}

    abort_incomplete_multipart_upload {
      days_after_initiation = 7
    }

    noncurrent_version_expiration {
      noncurrent_days = var.keep_versions_days
    }
  }

  depends_on = [aws_s3_bucket_versioning.this]
}

data "aws_iam_policy_document" "bucket" {
  statement {
    sid       = "OnlyWithTls"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.this.arn, "${aws_s3_bucket.this.arn}/*"]

    principals {
      type        = "AWS"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}

resource "aws_s3_bucket_policy" "this" {
  bucket     = aws_s3_bucket.this.id
  policy     = data.aws_iam_policy_document.bucket.json
  depends_on = [aws_s3_bucket_public_access_block.this]
}
