output "training_instance_ip" {
  description = "The private address of the training machine; reached through the jump host."
  value       = aws_instance.train.private_ip
}

output "training_login" {
  description = "The user to log in as."
  value       = local.accelerator == "habana" ? "ubuntu" : "ec2-user"
}
