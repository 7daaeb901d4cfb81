"""A sender that counts octets and sends no newline: its messages are kept, and the next connection is parsed.

Seen in https://github.com/IonxSolutions/serilog-sinks-syslog/issues/43, https://github.com/leodido/go-syslog/issues/15,
https://github.com/pivotal-cf/fluent-bit-out-syslog/issues/19,
https://github.com/logstash-plugins/logstash-input-syslog/pull/83.
Flume 1.11 loses all three messages when the connection closes without a newline.
"""

FRAMES = b"".join(b"47 <13>1 2026-01-05T10:22:33Z h4 app - - - text m%d" % n for n in (1, 2, 3))
NORMAL = b"<13>1 2026-01-05T10:22:33Z h5 app - - - fine\n"
CUT = b"47 <13>1 2026-01-05T10:22:33Z h6 app - - - cut of"


def run(case):
    case.make("sink")
    agent = case.start("agent.conf")
    port = case.port("IN_PORT")
    case.listens("listens", agent, port)
    case.send(port, FRAMES, seconds=2)
    for text in (b"text m1", b"text m2", b"text m3"):
        case.ok(f"{text.decode()} is kept", case.comes("sink", text))
    case.equal("each is an event", [(headers["host"], body) for headers, body in case.events("sink")],
               [("h4", f"app - - - text m{n}") for n in (1, 2, 3)])
    case.send(port, NORMAL, seconds=2)
    case.ok("the next connection is parsed", case.comes("sink", b"host=h5"))
    case.send(port, CUT, seconds=2)
    case.ok("what the connection's end cuts is kept", case.comes("sink", b"cut of"))
    headers, body = case.events("sink")[-1]
    case.equal("and marked", (headers.get("flume.syslog.status"), body), ("Incomplete", "app - - - cut of"))
