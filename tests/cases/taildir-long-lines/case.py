"""Lines around 8 KiB and far beyond it come whole, without the \\r of their end, and no character is damaged.

Seen in https://github.com/fluent/fluent-bit/issues/3491, https://github.com/elastic/logstash-forwarder/issues/33,
https://github.com/google/rrg/pull/237.
"""


def run(case):
    case.make("logs", "sink")
    first = b"A" * 8191
    # The second line begins at byte 8193; its character of four bytes begins at byte 16382 of the file.
    before = 16382 - 8193
    second = b"b" * before + "\U0001F680".encode() + b"b" * (8200 - before - 4)
    third = b"c" * 300_000
    (case.out / "logs/long.log").write_bytes(first + b"\r\n" + b"\n".join([second, third, b"end"]) + b"\n")
    case.start("agent.conf")
    case.ok("four lines come", case.wait_lines("sink", 4, 30))
    case.equal("sizes", [len(line) for line in case.read("sink").split(b"\n")[:-1]], [8191, 8200, 300_000, 3])
    case.ok("content", case.read("sink") == b"\n".join([first, second, third, b"end"]) + b"\n")
