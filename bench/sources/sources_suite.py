"""The sources suite: files, datagrams, and what the regex interceptors cost."""
from parts import suite_of
from sources import datagrams, idle, rates

SUITE = suite_of([rates, datagrams, idle], "sources", "Files, datagrams and regular expressions", """\
`./dev bench sources` wrote this page (`bench/sources/`); `./dev bench sources ROW` measures one row again. An event counts when
a sink's commit took it.""")
