# A message when the month gets expensive. It stops nothing: see the warning in infra/README.md.

resource "aws_budgets_budget" "month" {
  count        = var.budget_email == "" ? 0 : 1
  name         = "${var.name}-month"
  budget_type  = "COST"
  limit_amount = tostring(var.budget_dollars)
  limit_unit   = "USD"
  time_unit    = "MONTHLY"
  tags         = local.tags

  notification {
    comparison_operator        = "GREATER_THAN"
    threshold                  = 80
    threshold_type             = "PERCENTAGE"
    notification_type          = "ACTUAL"
    subscriber_email_addresses = [var.budget_email]
  }

  notification {
    comparison_operator        = "GREATER_THAN"
    threshold                  = 100
    threshold_type             = "PERCENTAGE"
    notification_type          = "FORECASTED"
    subscriber_email_addresses = [var.budget_email]
  }
}
