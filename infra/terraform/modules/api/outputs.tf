output "api_ip_addr" {
  description = "The private address of the machine that serves; reached through the jump host."
  value       = aws_instance.api.private_ip
}

output "api_url" {
  description = "The gallery."
  value       = "https://${var.domain_name}/"
}

output "load_balancer_name" {
  description = "The load balancer's own name, for looking at it before the record is known everywhere."
  value       = aws_lb.this.dns_name
}
