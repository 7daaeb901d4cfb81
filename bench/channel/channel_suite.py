"""The channel suite: the file channel's speed table, beside Flume, beside the memory channel, and beside the disk."""
from channel import backlog, disk, grid, latency, rates
from parts import suite_of

SUITE = suite_of([rates, disk, grid, latency, backlog], "channel", "The file channel's speed", """\
`./dev bench channel` wrote this page (`bench/channel/`); `./dev bench channel ROW` measures one row again. An event counts
when a sink's commit took it, and it can be taken only when `fdatasync` has returned for it.""")
