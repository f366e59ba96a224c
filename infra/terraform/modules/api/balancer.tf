# The load balancer, its certificate and its name. TLS ends here.

resource "aws_security_group" "balancer" {
  name        = "${local.name}-balancer"
  description = "The world, by HTTPS; HTTP is sent there"
  vpc_id      = var.core.vpc_id
  tags        = merge(local.tags, { Name = "${local.name}-balancer" })
}

resource "aws_vpc_security_group_ingress_rule" "balancer" {
  # checkov:skip=CKV_AWS_260: Port 80 answers with a redirection to HTTPS and with nothing else.
  for_each          = { http = 80, https = 443 }
  security_group_id = aws_security_group.balancer.id
  description       = "The world: ${each.key}"
  ip_protocol       = "tcp"
  from_port         = each.value
  to_port           = each.value
  cidr_ipv4         = "0.0.0.0/0"
  tags              = local.tags
}

resource "aws_vpc_security_group_egress_rule" "balancer" {
  security_group_id            = aws_security_group.balancer.id
  description                  = "The machine that serves"
  ip_protocol                  = "tcp"
  from_port                    = 8080
  to_port                      = 8080
  referenced_security_group_id = aws_security_group.api.id
  tags                         = local.tags
}

resource "aws_security_group" "api" {
  name        = local.name
  description = "Requests from the load balancer"
  vpc_id      = var.core.vpc_id
  tags        = merge(local.tags, { Name = local.name })
}

resource "aws_vpc_security_group_ingress_rule" "api" {
  security_group_id            = aws_security_group.api.id
  description                  = "Requests from the load balancer"
  ip_protocol                  = "tcp"
  from_port                    = 8080
  to_port                      = 8080
  referenced_security_group_id = aws_security_group.balancer.id
  tags                         = local.tags
}

resource "aws_lb" "this" {
  # checkov:skip=CKV_AWS_150: Protected from deletion, it would survive destroy and go on costing money.
  # checkov:skip=CKV_AWS_91: nowhere serve --access-log writes a line for each request where one is wanted.
  # checkov:skip=CKV2_AWS_28: A firewall costs more than the machine behind it; the server bounds every request itself.
  name                       = local.name
  load_balancer_type         = "application"
  security_groups            = [aws_security_group.balancer.id]
  subnets                    = var.core.public_subnet_ids
  drop_invalid_header_fields = true
  idle_timeout               = 60
  tags                       = local.tags
}

resource "aws_lb_target_group" "api" {
  # checkov:skip=CKV_AWS_378: TLS ends at the load balancer; behind it the way is within one private network.
  name                 = local.name
  port                 = 8080
  protocol             = "HTTP"
  vpc_id               = var.core.vpc_id
  deregistration_delay = 15
  tags                 = local.tags

  health_check {
    path                = "/readyz"
    matcher             = "200"
    interval            = 15
    timeout             = 5
    healthy_threshold   = 2
    unhealthy_threshold = 4
  }
}

resource "aws_lb_target_group_attachment" "api" {
  target_group_arn = aws_lb_target_group.api.arn
  target_id        = aws_instance.api.id
  port             = 8080
}

resource "aws_lb_listener" "http" {
  load_balancer_arn = aws_lb.this.arn
  port              = 80
  protocol          = "HTTP"
  tags              = local.tags

  default_action {
    type = "redirect"

    redirect {
      port        = "443"
      protocol    = "HTTPS"
      status_code = "HTTP_301"
    }
  }
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.this.arn
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
  certificate_arn   = aws_acm_certificate_validation.this.certificate_arn
  tags              = local.tags

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.api.arn
  }
}

# Figures are for Prometheus, which asks the machine itself.
resource "aws_lb_listener_rule" "no_metrics" {
  listener_arn = aws_lb_listener.https.arn
  priority     = 1
  tags         = local.tags

  action {
    type = "fixed-response"

    fixed_response {
      content_type = "text/plain"
      message_body = "not found"
      status_code  = "404"
    }
  }

  condition {
    path_pattern {
      values = ["/metrics"]
    }
  }
}
