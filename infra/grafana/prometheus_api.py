"""What a panel of a dashboard shows, asked of Prometheus as Grafana asks it."""
import json
import urllib.parse
import urllib.request


class Prometheus:
    """`window`: what Grafana computes for $__rate_interval, at least four times the scrape interval."""

    def __init__(self, url, window="1m"):
        self.url, self.window = url.rstrip("/"), window

    def ask(self, path, **parameters):
        address = f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(address, timeout=30) as answer:
            return json.load(answer)["data"]

    def resolved(self, expression):
        """With the variables of the boards replaced, for all instances."""
        return expression.replace("$__rate_interval", self.window).replace("$instance", ".+")

    def now(self, expression):
        """[(labels, value)]"""
        return [(one["metric"], float(one["value"][1])) for one in self.ask("query", query=self.resolved(expression))["result"]]

    def over_time(self, expression, start, end, step):
        """[(labels, [(time, value)])]"""
        answer = self.ask("query_range", query=self.resolved(expression), start=start, end=end, step=step)
        return [(one["metric"], [(time, float(value)) for time, value in one["values"]]) for one in answer["result"]]
