"""How long updates wait for all-reduce, from a Chrome trace that `nowhere train --profile yes` wrote.

"Not hidden" is, on the training thread, the time from the end of the last node of a backward pass to the start of the update that
follows it, for both updates of a step. The reducer's hooks run inside the nodes; what lies behind the last node is waiting for the
buckets under way (for a slower rank too) and handing their gradients back. Without a group the same gap holds next to nothing.
"""
import json

NODE, UPDATE, STEP = "autograd::engine::evaluate_function", "aten::_fused_adamw_", "ProfilerStep#"
COLLECTIVES = ("gloo:all_reduce", "nccl:all_reduce", "hccl:all_reduce")


def spans(events):
    return sorted((event for event in events if event.get("ph") == "X" and "dur" in event), key=lambda event: event["ts"])


def end(span):
    return span["ts"] + span["dur"]


def gaps(thread):
    """Microseconds between each update and the backward pass before it, on the spans of one thread in order."""
    found, last = [], None
    for span in thread:
        if span["name"].startswith(NODE):
            last = max(last or 0, end(span))
        elif span["name"] == UPDATE and last is not None:
            found.append(max(0, span["ts"] - last))
            last = None
    return found


def waiting(trace):
    """Milliseconds of a mean step: all of it, in all-reduce on whatever thread, and not hidden."""
    ordered = spans(trace["traceEvents"])
    steps = [span for span in ordered if span["name"].startswith(STEP) and not str(span.get("cat", "")).startswith("gpu")]
    if not steps:
        raise ValueError("the trace has no steps")
    begin, last = steps[0]["ts"], end(steps[-1])
    within = [span for span in ordered if begin <= span["ts"] < last]
    thread = [span for span in within if span.get("tid") == steps[0].get("tid")]
    count = 1000 * len(steps)
    return {"step": sum(span["dur"] for span in steps) / count,
            "all_reduce": sum(span["dur"] for span in within if span["name"].startswith(COLLECTIVES)) / count,
            "not_hidden": sum(gaps(thread)) / count}


def read(folder):
    """Of the one trace in a run's events."""
    [file] = folder.glob("*.pt.trace.json")
    return waiting(json.loads(file.read_text()))
