output "worker_ip_addr" {
  description = "The private address of the notebook instance."
  value       = data.aws_network_interface.notebook.private_ip
}

output "notebook_name" {
  description = "The name of the notebook instance, for aws sagemaker create-presigned-notebook-instance-url."
  value       = aws_sagemaker_notebook_instance.this.name
}

output "notebook_url" {
  description = "The notebook server; the console of SageMaker opens it with a login."
  value       = aws_sagemaker_notebook_instance.this.url
}
