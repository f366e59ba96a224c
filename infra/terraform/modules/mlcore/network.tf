# One network: two public subnets for the load balancer and the jump host, one private subnet for every machine that works.

locals {
  tags = merge(var.tags, { Project = var.name, Module = "mlcore" })
}

resource "aws_vpc" "this" {
  # checkov:skip=CKV2_AWS_11: Flow logs of a network without inbound traffic but the load balancer's cost more than they tell.
  cidr_block           = var.cidr_block
  enable_dns_hostnames = true # EFS is found by its name
  enable_dns_support   = true
  tags                 = merge(local.tags, { Name = var.name })
}

# Adopted in order to be emptied: nothing uses it, and whatever is put there by mistake reaches nothing.
resource "aws_default_security_group" "this" {
  vpc_id = aws_vpc.this.id
  tags   = merge(local.tags, { Name = "${var.name}-unused" })
}

resource "aws_subnet" "public" {
  vpc_id                  = aws_vpc.this.id
  cidr_block              = cidrsubnet(var.cidr_block, 4, 0)
  availability_zone       = "${var.region}${var.zone}"
  map_public_ip_on_launch = false
  tags                    = merge(local.tags, { Name = "${var.name}-public" })
}

# For the load balancer alone, which wants subnets in two zones.
resource "aws_subnet" "public_second" {
  vpc_id                  = aws_vpc.this.id
  cidr_block              = cidrsubnet(var.cidr_block, 4, 1)
  availability_zone       = "${var.region}${var.second_zone}"
  map_public_ip_on_launch = false
  tags                    = merge(local.tags, { Name = "${var.name}-public-second" })
}

resource "aws_subnet" "private" {
  vpc_id            = aws_vpc.this.id
  cidr_block        = cidrsubnet(var.cidr_block, 4, 2)
  availability_zone = "${var.region}${var.zone}"
  tags              = merge(local.tags, { Name = "${var.name}-private" })
}

resource "aws_internet_gateway" "this" {
  vpc_id = aws_vpc.this.id
  tags   = merge(local.tags, { Name = var.name })
}

resource "aws_eip" "nat" {
  # checkov:skip=CKV2_AWS_19: It belongs to the NAT gateway below, which the check does not look at.
  domain     = "vpc"
  tags       = merge(local.tags, { Name = "${var.name}-nat" })
  depends_on = [aws_internet_gateway.this]
}

# Machines in the private subnet fetch images and packages through it.
resource "aws_nat_gateway" "this" {
  allocation_id = aws_eip.nat.id
  subnet_id     = aws_subnet.public.id
  tags          = merge(local.tags, { Name = var.name })
}

# Checkpoints and packed data take this way, which costs nothing, and not the NAT gateway, which charges for each GB.
resource "aws_vpc_endpoint" "s3" {
  vpc_id            = aws_vpc.this.id
  service_name      = "com.amazonaws.${var.region}.s3"
  vpc_endpoint_type = "Gateway"
  route_table_ids   = [aws_route_table.private.id]
  tags              = merge(local.tags, { Name = "${var.name}-s3" })
}

resource "aws_route_table" "public" {
  vpc_id = aws_vpc.this.id
  tags   = merge(local.tags, { Name = "${var.name}-public" })

  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.this.id
  }
}

resource "aws_route_table" "private" {
  vpc_id = aws_vpc.this.id
  tags   = merge(local.tags, { Name = "${var.name}-private" })

  route {
    cidr_block     = "0.0.0.0/0"
    nat_gateway_id = aws_nat_gateway.this.id
  }
}

resource "aws_route_table_association" "public" {
  subnet_id      = aws_subnet.public.id
  route_table_id = aws_route_table.public.id
}

resource "aws_route_table_association" "public_second" {
  subnet_id      = aws_subnet.public_second.id
  route_table_id = aws_route_table.public.id
}

resource "aws_route_table_association" "private" {
  subnet_id      = aws_subnet.private.id
  route_table_id = aws_route_table.private.id
}
