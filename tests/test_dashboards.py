"""Prometheus' configuration, the alerts and the dashboards: Debian's Prometheus watches a run and a gallery, and every expression
of every panel and alert returns data."""
import itertools
import json
import math
import re
import subprocess
import sys
import urllib.request

import pytest
import yaml
from conftest import TOP
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard
from playwright.sync_api import sync_playwright
from server import wait_until
from test_train import pack, small, stats  # noqa: F401
from watched import BOARDS, CHROMIUM, CHROMIUM_FLAGS, CONFIGURATION, page, shoot, watched

GRAFANA = TOP / "infra" / "grafana"
COMPARISON = re.compile(r"\s(==|!=|<=|>=|<|>)\s*[\d.]+$")
# Where the data lie on a file system without a disk (tmpfs, overlay), the program has no figures of one.
OF_THE_DISK = re.compile(r"nowhere_disk_busy_ratio")


def board(name):
    return json.loads((BOARDS / f"{name}.json").read_text())


def panels(name):
    return [panel for panel in board(name)["panels"] if panel["type"] != "row"]


def alerts():
    return [rule for group in yaml.safe_load((CONFIGURATION / "alerts.yml").read_text())["groups"] for rule in group["rules"]]


def promtool(*arguments):
    return subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture(scope="module")
def system(pack, tmp_path_factory):  # noqa: F811
    """Everything watched, for long enough that rates are known, and that a checkpoint was saved."""
    folder = tmp_path_factory.mktemp("watched")
    arguments = small(pack, folder, "run", "--n-epoch", 100000, "--log-frequency", 1)
    with watched(folder, arguments) as running:
        wait_until(lambda: running.prometheus.now("nowhere_checkpoint_timestamp_seconds")
                   and running.prometheus.now('nowhere_accelerator_use_ratio{name="HL-205"}')
                   and running.prometheus.now('rate(nowhere_queue_refusals_total[5s])')
                   and running.prometheus.now('sum(rate(nowhere_cache_hits_total[5s])) + sum(rate(nowhere_cache_misses_total[5s])) > 0'))
        yield running


def test_promtool_accepts_configuration_and_rules():
    for arguments in (["check", "config", CONFIGURATION / "prometheus.yml"], ["test", "rules", CONFIGURATION / "alerts_test.yml"]):
        done = promtool(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_is_tested_to_fire_and_not_to():
    cases = [case for test in yaml.safe_load((CONFIGURATION / "alerts_test.yml").read_text())["tests"] for case in test["alert_rule_test"]]
    fires = {case["alertname"] for case in cases if case.get("exp_alerts")}
    quiet = {case["alertname"] for case in cases if not case.get("exp_alerts")}
    assert fires == quiet == {rule["alert"] for rule in alerts()}


def returned(system, expression, wanted=lambda value: True):
    """The values of an expression, once there is one that is wanted: on a busy machine it may take some scrapes."""
    values = []

    def some():
        values[:] = [value for _, value in system.prometheus.now(expression)]
        return any(map(wanted, values))

    try:
        wait_until(some)
    except AssertionError:
        pytest.fail(f"{expression} returns {values}")
    return values


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_an_alert_compares_what_is_there(system, rule):
    """Without the comparison, which a healthy system does not fulfil, the expression returns data. Its words are resolved."""
    expression, cut = COMPARISON.subn("", rule["expr"].strip())
    assert cut == 1, "an expression ends with a comparison with a number"
    returned(system, expression)
    assert rule["labels"]["severity"] in ("warning", "critical")
    assert rule["annotations"]["summary"].startswith("{{ $labels.instance }}: ") and rule["annotations"]["action"].endswith(".")


def test_prometheus_evaluates_the_rules(system):
    rules = [rule for group in system.prometheus.ask("rules")["groups"] for rule in group["rules"]]
    assert {rule["name"] for rule in rules} == {rule["alert"] for rule in alerts()}
    assert all(rule["health"] in ("ok", "unknown") for rule in rules), [rule.get("lastError") for rule in rules]


@pytest.mark.parametrize("name", ["training", "serving"])
def test_every_expression_of_a_board_returns_data(system, name):
    without_disk = not any("disk_busy_share" in line for line in stats(system.run))
    for panel in panels(name):
        for target in panel["targets"]:
            if not (without_disk and OF_THE_DISK.search(target["expr"])):
                assert any(math.isfinite(value) for value in returned(system, target["expr"], math.isfinite)), panel["title"]


def test_every_metric_of_the_program_is_on_a_board_or_named_here(system):
    """A new metric is either shown or left out on purpose."""
    left_out = {"nowhere_checkpoint_epoch"}
    shown = "".join(target["expr"] for name in ("training", "serving") for panel in panels(name) for target in panel["targets"])
    texts = [urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30).read().decode()
             for port in (system.train_port, system.gallery.port)]
    metrics = set(re.findall(r"^# TYPE (nowhere_\w+)", "\n".join(texts), re.M))
    assert len(metrics) > 25
    assert {metric for metric in metrics if metric not in shown} == left_out


def test_accelerators_are_those_of_the_stubs(system):
    use = {(labels["index"], labels["name"]): value for labels, value in system.prometheus.now("nowhere_accelerator_use_ratio")}
    assert use[("0", "Fake 3000")] == 0.42 and ("1", "Fake 3000") in use
    assert 0.7 <= use[("2", "HL-205")] < 0.9


def lost(before, after, where=""):
    """What is in one JSON value and not, or otherwise, in another."""
    if isinstance(before, dict):
        return [place for key, value in before.items()
                for place in (lost(value, after[key], f"{where}.{key}") if key in after else [f"{where}.{key}"])]
    if isinstance(before, list):
        return [place for number, pair in enumerate(itertools.zip_longest(before, after)) for place in lost(*pair, f"{where}[{number}]")]
    return [] if before == after else [where]


@pytest.mark.parametrize("name", ["training", "serving"])
def test_grafana_knows_every_field_of_a_board(name):
    """Read into the classes that Grafana publishes for its version 11.6, and written again: what they do not know is lost."""
    register_default_plugins()
    read = board(name)
    assert lost(read, json.loads(JSONEncoder().encode(Dashboard.from_json(read)))) == []


@pytest.mark.parametrize("name", ["training", "serving"])
def test_a_board_fits_on_the_grid_and_names_its_source(name):
    read = board(name)
    assert read["uid"] == f"nowhere-{name}" and read["title"] and read["schemaVersion"] >= 36
    [provider] = yaml.safe_load((GRAFANA / "provisioning" / "dashboards" / "nowhere.yaml").read_text())["providers"]
    [source] = yaml.safe_load((GRAFANA / "provisioning" / "datasources" / "prometheus.yaml").read_text())["datasources"]
    assert provider["type"] == "file" and provider["options"]["path"]
    assert len({panel["id"] for panel in read["panels"]}) == len(read["panels"])
    cells = set()
    for panel in read["panels"]:
        place = panel["gridPos"]
        mine = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not mine & cells and max(x for x, _ in mine) < 24, f"{panel['title']} lies on another panel"
        cells |= mine
    for panel in panels(name):
        assert panel["description"].endswith("."), panel["title"]
        assert panel["datasource"]["uid"] == source["uid"] and all(target["datasource"]["uid"] == source["uid"] for target in panel["targets"])


def test_the_boards_are_what_the_script_writes(tmp_path):
    sys.path.insert(0, str(GRAFANA))
    from make_dashboards import main
    main(tmp_path)
    for name in ("training", "serving"):
        assert (tmp_path / f"{name}.json").read_text() == (BOARDS / f"{name}.json").read_text(), "run infra/grafana/make_dashboards.py"


@pytest.mark.parametrize("name", ["training", "serving"])
def test_a_browser_shows_every_panel_with_its_curves(system, tmp_path, name):
    html = tmp_path / "board.html"
    html.write_text(page(board(name), system.prometheus, 1))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        tab = browser.new_page(viewport={"width": 1600, "height": 900})
        tab.goto(html.as_uri())
        shown = tab.evaluate("""() => [...document.querySelectorAll('section:not(.row)')].map((panel) => ({
            title: panel.querySelector('h2').textContent,
            text: panel.querySelector('.stat, .legend').textContent,
            curves: panel.querySelectorAll('svg path[stroke-linejoin]').length,
            overflows: panel.querySelector('h2').scrollWidth > panel.querySelector('h2').clientWidth}))""")
        size = shoot(browser, html, tmp_path / "board.jpg")
        browser.close()
    assert [panel["title"] for panel in shown] == [panel["title"] for panel in panels(name)]
    for panel, seen in zip(panels(name), shown):
        assert seen["text"] not in ("", "no data") and not seen["overflows"], seen
        assert (seen["curves"] > 0) == (panel["type"] == "timeseries"), seen
    assert size[0] == 1600 and size[1] > 900
