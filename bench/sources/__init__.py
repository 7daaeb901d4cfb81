"""Files, datagrams, and events that are shaped on their way: beside Flume."""
