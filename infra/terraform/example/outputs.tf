output "jump_ip_addr" {
  description = "The public address of the jump host."
  value       = module.mlcore.jump_ip_addr
}

output "bucket" {
  description = "The bucket for slim checkpoints and packed data."
  value       = module.mlcore.bucket
}

output "training_instance_ip" {
  description = "The private address of the training machine."
  value       = one(module.train_prod[*].training_instance_ip)
}

output "training_login" {
  description = "The user to log in as on the training machine."
  value       = one(module.train_prod[*].training_login)
}

output "worker_ip_addr" {
  description = "The private address of the notebook instance."
  value       = one(module.train_dev[*].worker_ip_addr)
}

output "notebook_name" {
  description = "The name of the notebook instance."
  value       = one(module.train_dev[*].notebook_name)
}

output "metrics_ip_addr" {
  description = "The private address of the machine with Grafana, TensorBoard and Prometheus."
  value       = one(module.stats_monitor[*].metrics_ip_addr)
}

output "api_ip_addr" {
  description = "The private address of the machine that serves."
  value       = one(module.api[*].api_ip_addr)
}

output "api_url" {
  description = "The gallery."
  value       = one(module.api[*].api_url)
}
