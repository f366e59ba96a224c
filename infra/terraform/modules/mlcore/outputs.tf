output "jump_ip_addr" {
  description = "The public address of the jump host."
  value       = aws_eip.jump.public_ip
}

# What the other modules are given as `core`.

output "name" {
  description = "What the names of all resources begin with."
  value       = var.name
}

output "tags" {
  description = "Tags of all resources."
  value       = var.tags
}

output "region" {
  description = "The region."
  value       = var.region
}

output "zone" {
  description = "The zone of the private subnet."
  value       = aws_subnet.private.availability_zone
}

output "vpc_id" {
  description = "The network."
  value       = aws_vpc.this.id
}

output "public_subnet_ids" {
  description = "The public subnets, in two zones."
  value       = [aws_subnet.public.id, aws_subnet.public_second.id]
  depends_on  = [aws_route_table_association.public, aws_route_table_association.public_second]
}

output "private_subnet_id" {
  description = "The subnet of the machines; known when there is a way out of it, which they need at their start."
  value       = aws_subnet.private.id
  depends_on = [
    aws_route_table_association.private,
    aws_route_table_association.public,
    aws_vpc_endpoint.s3,
    aws_vpc_security_group_egress_rule.machine_web,
    aws_vpc_security_group_egress_rule.machine_efs,
    aws_vpc_security_group_ingress_rule.efs_machines,
  ]
}

output "jump_security_group_id" {
  description = "The security group of the jump host, from which tunnels come."
  value       = aws_security_group.jump.id
}

output "machine_security_group_id" {
  description = "The security group of every machine."
  value       = aws_security_group.machine.id
}

output "machine_policy_arn" {
  description = "What every machine may do."
  value       = aws_iam_policy.machine.arn
}

output "key_name" {
  description = "The key pair that machines accept."
  value       = aws_key_pair.this.key_name
}

output "efs_id" {
  description = "The file system for runs; known when it can be mounted."
  value       = aws_efs_mount_target.runs.file_system_id
  depends_on  = [aws_efs_file_system_policy.runs]
}

output "bucket" {
  description = "The bucket for slim checkpoints and packed data."
  value       = aws_s3_bucket.this.id
}

output "bucket_arn" {
  description = "The same, as an ARN."
  value       = aws_s3_bucket.this.arn
}

output "agent_parameters" {
  description = "The parameters of SSM with the configuration of the CloudWatch agent: machine, nvidia."
  value       = { for key, parameter in aws_ssm_parameter.agent : key => parameter.name }
}
