output "metrics_ip_addr" {
  description = "The private address of the machine with Grafana (3000), TensorBoard (6006) and Prometheus (9090)."
  value       = aws_instance.stats.private_ip
}
