#!/usr/bin/env python3
"""Writes dashboards/training.json and serving.json, which Grafana is provisioned with.

    python3 infra/grafana/make_dashboards.py

The JSON is what counts: Grafana reads it, the tests query every expression in it. It is written from here so that all panels look
alike and the grid is laid out by itself.
"""
import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "dashboards"
SOURCE = {"type": "prometheus", "uid": "nowhere-prometheus"}
COLUMNS = 24  # of Grafana's grid
# One colour for one thing, on every panel.
GREEN, BLUE, ORANGE, RED, PURPLE, TEAL, YELLOW = "#56a64b", "#3274d9", "#ff780a", "#e02f44", "#8f3bb8", "#1fa6a0", "#e0b400"


def query(expression, legend="", colour=None):
    return {"expr": expression, "legend": legend, "colour": colour}


def defaults(unit, options):
    wanted = {key: options[key] for key in ("min", "max", "decimals") if key in options}
    return {"unit": unit, "noValue": "none", "color": {"mode": "palette-classic"}, **wanted}


def override(target):
    """Gives a series its colour, by the name it has in the legend."""
    return {"matcher": {"id": "byName", "options": target["legend"]},
            "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": target["colour"]}}]}


def targets_of(queries, instant):
    return [{"refId": chr(ord("A") + place), "datasource": SOURCE, "expr": one["expr"], "legendFormat": one["legend"] or "__auto",
             "range": not instant, "instant": instant} for place, one in enumerate(queries)]


def chart(title, text, unit, *queries, width=8, **options):
    """Curves over time. `stack`: one on top of the other; `log`: a logarithmic axis."""
    custom = {"drawStyle": "line", "lineWidth": 2, "fillOpacity": 30 if options.get("stack") else 8, "showPoints": "never",
              "spanNulls": True, "stacking": {"mode": "normal" if options.get("stack") else "none", "group": "A"},
              "scaleDistribution": {"type": "log", "log": 10} if options.get("log") else {"type": "linear"}}
    return {"type": "timeseries", "title": title, "description": text, "datasource": SOURCE, "targets": targets_of(queries, False),
            "fieldConfig": {"defaults": {**defaults(unit, options), "custom": custom},
                            "overrides": [override(one) for one in queries if one["colour"]]},
            "options": {"legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
                        "tooltip": {"mode": "multi", "sort": "desc"}},
            "size": (width, 8)}


def number(title, text, unit, expression, steps=((None, "text"),), width=4, **options):
    """One number, coloured by the step it has reached: pairs of a value and a colour, the first without a value."""
    fixed = {"mode": "absolute", "steps": [{"value": value, "color": colour} for value, colour in steps]}
    return {"type": "stat", "title": title, "description": text, "datasource": SOURCE, "targets": targets_of([query(expression)], True),
            "fieldConfig": {"defaults": {**defaults(unit, options), "color": {"mode": "thresholds"}, "thresholds": fixed}, "overrides": []},
            "options": {"reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}, "colorMode": "value",
                        "graphMode": "none", "textMode": "value", "justifyMode": "auto"},
            "size": (width, 4)}


def laid_out(sections):
    """Panels from left to right, in rows with a title above."""
    panels, top = [], 0
    for title, content in sections:
        panels.append({"type": "row", "title": title, "collapsed": False, "panels": [], "gridPos": {"x": 0, "y": top, "w": COLUMNS, "h": 1}})
        top += 1
        left = height = 0
        for panel in content:
            size = panel.pop("size")
            if left + size[0] > COLUMNS:
                left, top = 0, top + height
            panel["gridPos"] = {"x": left, "y": top, "w": size[0], "h": size[1]}
            left, height = left + size[0], size[1]
            panels.append(panel)
        top += height
    for number_of, panel in enumerate(panels, 1):
        panel["id"] = number_of
    return panels


def board(uid, title, metric, sections):
    """`metric`: one that every instance has; its label is the choice at the top of the page."""
    instance = {"name": "instance", "label": "Instance", "type": "query", "datasource": SOURCE, "refresh": 2, "sort": 1,
                "query": {"query": f"label_values({metric}, instance)", "refId": "instance"},
                "includeAll": True, "multi": True, "allValue": ".+", "current": {"text": "All", "value": "$__all"}, "hide": 0, "options": []}
    return {"uid": uid, "title": title, "tags": ["nowhere"], "schemaVersion": 39, "version": 1, "editable": False, "graphTooltip": 1,
            "timezone": "browser", "refresh": "15s", "time": {"from": "now-3h", "to": "now"}, "annotations": {"list": []},
            "links": [{"type": "dashboards", "tags": ["nowhere"], "title": "Boards", "asDropdown": False, "keepTime": True}],
            "templating": {"list": [instance]}, "panels": laid_out(sections)}


RUN = '{instance=~"$instance"}'
TRAIN = '{instance=~"$instance", job="train"}'
SERVE = '{instance=~"$instance", job="serve"}'


def on(**labels):
    """A selector by labels, of the chosen instances."""
    return "{" + ", ".join([f'{name}="{value}"' for name, value in labels.items()] + ['instance=~"$instance"']) + "}"


def training():
    good_when_low = ((None, GREEN), (0.2, YELLOW), (0.5, RED))
    return board("nowhere-training", "nowhere: training", "nowhere_train_epoch", [
        ("Now", [
            number("Images a second", "Since the last log point.", "short", f"sum(nowhere_train_images_per_second{RUN})", decimals=0),
            number("Images seen", "Since the run began.", "short", f"max(nowhere_train_images{RUN})"),
            number("Epoch", "The one under way.", "none", f"max(nowhere_train_epoch{RUN})"),
            number("Waiting for data", "Share of the time in which the device had nothing to do.", "percentunit",
                   f"avg(nowhere_train_data_wait_ratio{RUN})", good_when_low, decimals=1),
            number("Checkpoint age", "Time since the newest checkpoint was written; one is written every 15 minutes.", "s",
                   f"time() - max(nowhere_checkpoint_timestamp_seconds{RUN})", ((None, GREEN), (1800, YELLOW), (3600, RED))),
            number("Unreadable photographs", "Others were taken in their place.", "short",
                   f"sum(nowhere_train_replaced_photographs{RUN})", ((None, GREEN), (1, YELLOW)), decimals=0),
        ]),
        ("Learning", [
            chart("Losses", "Of the generator and of the discriminator.", "short",
                  query(f"nowhere_train_loss{on(network='G')}", "G", BLUE), query(f"nowhere_train_loss{on(network='D')}", "D", ORANGE)),
            chart("D(x) and D(G(z))", "How sure the discriminator is that photographs, and pictures of the generator, are real: "
                  "before and after its update. At 0.5 it cannot tell them apart.", "short",
                  query(f"nowhere_train_confidence{on(on='real')}", "D(x)", GREEN),
                  query(f"nowhere_train_confidence{on(on='fake_before')}", "D(G(z)) before", ORANGE),
                  query(f"nowhere_train_confidence{on(on='fake_after')}", "D(G(z)) after", PURPLE), min=0, max=1),
            chart("Gradient norms", "On a logarithmic axis: what matters is whether they stay in their order of magnitude.", "short",
                  query(f"nowhere_train_gradient_norm{on(network='G')}", "G", BLUE),
                  query(f"nowhere_train_gradient_norm{on(network='D')}", "D", ORANGE), log=True),
            chart("Diversity", "The spread of the pictures over that of the photographs. Below 0.3 for long is a collapse.", "short",
                  query(f"nowhere_train_diversity_ratio{RUN}", "diversity", TEAL), min=0),
            chart("Learning rate", "As the schedule has it.", "sci", query(f"nowhere_train_learning_rate{RUN}", "learning rate", BLUE), min=0),
            chart("Checkpoint age", "It rises between saves and falls to 0 at each.", "s",
                  query(f"time() - nowhere_checkpoint_timestamp_seconds{RUN}", "age", TEAL),
                  query(f"nowhere_checkpoint_write_seconds{RUN}", "time to write", ORANGE), min=0),
        ]),
        ("What limits the run", [
            chart("Images a second", "Of all processes of the run.", "short",
                  query(f"nowhere_train_images_per_second{RUN}", "images/s", GREEN), min=0),
            chart("Time waiting for data", "Much waiting and a busy disk: the disk is too slow. Much waiting and an idle disk: decoding is.",
                  "percentunit", query(f"nowhere_train_data_wait_ratio{RUN}", "waiting", RED), min=0, max=1),
            chart("CPU", "Of the cores that the process may use; and all cores of the machine.", "percentunit",
                  query(f"nowhere_cpu_ratio{RUN}", "this run", BLUE),
                  query('1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[$__rate_interval]))', "machine", ORANGE),
                  min=0, max=1),
        ]),
        ("Machine", [
            chart("Memory", "Resident, and what the machine has left.", "bytes", query(f"nowhere_memory_bytes{TRAIN}", "this run", BLUE),
                  query("node_memory_MemAvailable_bytes", "machine, available", GREEN), min=0),
            chart("Disk reads", "From the disk that holds the data, by all processes; and from every disk. What comes from the page cache "
                  "is not read from a disk.", "Bps", query(f"nowhere_disk_read_bytes_per_second{RUN}", "data", BLUE),
                  query("rate(node_disk_read_bytes_total[$__rate_interval])", "{{device}}"), min=0),
            chart("How busy the disk is", "Share of the time with a request under way.", "percentunit",
                  query(f"nowhere_disk_busy_ratio{RUN}", "data", BLUE),
                  query("rate(node_disk_io_time_seconds_total[$__rate_interval])", "{{device}}"), min=0, max=1),
            chart("Accelerator use", "Share of the time in which something ran on it, from the driver.", "percentunit",
                  query(f"nowhere_accelerator_use_ratio{RUN}", "{{index}}: {{name}}"), width=12, min=0, max=1),
            chart("Accelerator memory", "In use, by all processes.", "bytes",
                  query(f"nowhere_accelerator_memory_bytes{RUN}", "{{index}}: {{name}}"), width=12, min=0),
        ]),
    ])


def serving():
    def quantile(share):
        seconds = f'sum by (le) (rate(nowhere_http_request_seconds_bucket{{instance=~"$instance", route!~"metrics|livez|readyz"}}[$__rate_interval]))'
        return query(f"histogram_quantile({share}, {seconds})", f"{share * 100:g}%", {0.5: GREEN, 0.95: ORANGE, 0.99: RED}[share])

    def mean(histogram, by=""):
        group = f"sum by ({by})" if by else "sum"
        return f"{group} (rate({histogram}_sum{RUN}[$__rate_interval])) / {group} (rate({histogram}_count{RUN}[$__rate_interval]))"

    requests = f"rate(nowhere_http_requests_total{RUN}[$__rate_interval])"
    hits, misses = (f"sum(rate(nowhere_cache_{what}_total{RUN}[$__rate_interval]))" for what in ("hits", "misses"))
    failed = f'rate(nowhere_http_requests_total{{instance=~"$instance", code=~"5.."}}[$__rate_interval])'
    return board("nowhere-serving", "nowhere: serving", "nowhere_ready", [
        ("Now", [
            number("Ready", "How many servers have a model.", "none", f"sum(nowhere_ready{RUN})", ((None, RED), (1, GREEN))),
            number("Requests a second", "Answered, of all kinds.", "reqps", f"sum({requests})", decimals=1),
            number("Errors", "Share of answers with a code of 500 and above.", "percentunit", f"sum({failed}) / sum({requests})",
                   ((None, GREEN), (0.01, YELLOW), (0.05, RED)), decimals=1),
            number("95% within", "Nineteen of twenty requests for pictures and pages took at most this long.", "s", quantile(0.95)["expr"],
                   ((None, GREEN), (1, YELLOW), (2, RED))),
            number("Queue", "Pictures in progress.", "short", f"sum(nowhere_queue_pictures{RUN})", decimals=0),
            number("From the cache", "Share of the pictures.", "percentunit", f"{hits} / ({hits} + {misses})", decimals=0),
        ]),
        ("Requests", [
            chart("Requests by route", "Answers a second.", "reqps", query(f"sum by (route) ({requests})", "{{route}}"), stack=True, min=0),
            chart("Requests by code", "Answers a second.", "reqps", query(f"sum by (code) ({requests})", "{{code}}"), stack=True, min=0),
            chart("Latency", "From a request to its answer, without probes and metrics. So many of a hundred were at least as fast.", "s",
                  quantile(0.5), quantile(0.95), quantile(0.99), min=0),
        ]),
        ("Making pictures", [
            chart("Queue", "Pictures in progress.", "short", query(f"nowhere_queue_pictures{RUN}", "in progress", BLUE),
                  width=6, min=0, decimals=0),
            chart("Refused requests", "Because the queue was full.", "reqps",
                  query(f"rate(nowhere_queue_refusals_total{RUN}[$__rate_interval])", "refused", RED), width=6, min=0),
            chart("Batch size", "Pictures made together: the mean, and what nineteen of twenty batches stay within.", "short",
                  query(mean("nowhere_batch_pictures"), "mean", BLUE),
                  query(f"histogram_quantile(0.95, sum by (le) (rate(nowhere_batch_pictures_bucket{RUN}[$__rate_interval])))", "95%", ORANGE),
                  width=6, min=0),
            chart("Generating and encoding", "Mean time of a batch, and of an answer by format.", "s",
                  query(mean("nowhere_generation_seconds"), "generating", BLUE),
                  query(mean("nowhere_encoding_seconds", "format"), "{{format}}"), width=6, min=0),
        ]),
        ("Cache and machine", [
            chart("Cache", "Pictures a second.", "short", query(hits, "found", GREEN), query(misses, "made", ORANGE), stack=True, min=0),
            chart("Cache size", "Encoded pictures that are kept.", "bytes", query(f"nowhere_cache_bytes{RUN}", "cache", TEAL), min=0),
            chart("Memory", "Resident.", "bytes", query(f"nowhere_memory_bytes{SERVE}", "{{instance}}"), min=0),
            chart("Connections", "Open ones.", "short", query(f"nowhere_connections{RUN}", "{{instance}}"), width=12, min=0, decimals=0),
            chart("CPU of the machine", "All cores.", "percentunit",
                  query('1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[$__rate_interval]))', "{{instance}}"),
                  width=12, min=0, max=1),
        ]),
    ])


def main(folder=FOLDER):
    for name, made in (("training", training()), ("serving", serving())):
        (folder / f"{name}.json").write_text(json.dumps(made, indent=2) + "\n")


if __name__ == "__main__":
    main()
