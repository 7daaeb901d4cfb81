"""An optional group that took no part gives no header, and its event passes a file channel once.

Seen in https://github.com/aliyun/aliyun-log-flume/pull/14 and FLUME-2620. Flume 1.11 delivers an empty header behind a file
channel; before 1.8 the batch repeated for ever.
"""


def run(case):
    case.make("sink")
    agent = case.start("agent.conf")
    port = case.port("IN_PORT")
    case.listens("listens", agent, port)
    case.equal("replies", case.send(port, b"code=200 user=ana\ncode=404\n", replies=2), b"OK\nOK\n")
    case.wait_lines("sink", 2)
    case.equal("headers", [headers for headers, _ in case.events("sink")], [{"code": "200", "user": "ana"}, {"code": "404"}])
