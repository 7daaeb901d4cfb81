"""Events a second through the file channel: beside Flume, a bare loop, and the same flow over the memory channel."""
from bench import BARE
from flows import AVRO, EXEC, MEMORY, NULL, SYSLOG, Flow, file_channel
from verdict import Verdict, at_least
from scenarios import MILLION
from tables import FIGURES, comparisons, figures_of, ratios_to, table

EXEC_NULL = Flow("exec-null", "exec `cat`, batch 10,000 → file, 1 dir → null", source=EXEC, channel=file_channel(), sink=NULL,
                 events={"millrace": 10 * MILLION, "flume": 500_000, BARE: 10 * MILLION}, peers=("millrace", "flume", BARE),
                 targets=(60, 90), bare="bare_log @DIR@")
SYSLOG_NULL = Flow("syslogtcp-null", "syslogtcp → file, 1 dir → null", load="hammer", source=SYSLOG, channel=file_channel(),
                   sink=NULL, events={"millrace": 15 * MILLION, "flume": 20_000, MEMORY: 15 * MILLION, BARE: 15 * MILLION},
                   peers=("millrace", "flume", MEMORY, BARE), bare="bare_tcp")
SYSLOG_AVRO = Flow("syslogtcp-avro", "syslogtcp → file, 1 dir → file_roll avro snappy, both synced", load="hammer",
                   source=SYSLOG, channel=file_channel(), sink=AVRO,
                   events={"millrace": 10 * MILLION, "flume": 20_000, MEMORY: 10 * MILLION, BARE: 10 * MILLION},
                   peers=("millrace", "flume", MEMORY, BARE), bare="bare_avro @DIR@")
ROWS = [EXEC_NULL, SYSLOG_NULL, SYSLOG_AVRO]


def against_flume(results):
    found = comparisons(EXEC_NULL, results.get(EXEC_NULL.name, {}))
    for what, each in zip(("events/s", "events per CPU-second"), found):
        yield Verdict(f"{EXEC_NULL.title}: {what}", f"≥ {each.target} × Flume", str(each), each.reached)


def millions(results, flow, target):
    if "millrace" in results.get(flow.name, {}):
        rate = results[flow.name]["millrace"]["rate"] / MILLION
        yield at_least(flow.title, rate, target, " M events/s")


def of_memory(results, flow, target):
    figures = results.get(flow.name, {})
    if {"millrace", MEMORY} <= set(figures):
        ratio = figures["millrace"]["rate"] / figures[MEMORY]["rate"]
        bare, _ = ratios_to(BARE, figures) or (None, None)
        yield at_least(f"file ÷ memory channel, {flow.title}", ratio, target, bare=bare)


def verdicts(results):
    return [*against_flume(results), *millions(results, SYSLOG_NULL, 2.5), *millions(results, SYSLOG_AVRO, 1.5),
            *of_memory(results, SYSLOG_NULL, 0.45), *of_memory(results, SYSLOG_AVRO, 0.65)]


def details(results):
    rows = [[flow.title, peer, *figures_of(figures), figures["runs"]]
            for flow in ROWS for peer, figures in results.get(flow.name, {}).items() if peer in flow.peers]
    return "## Events a second\n\n" + table(["flow, 300-byte events", "peer", *FIGURES, "runs"], rows)
