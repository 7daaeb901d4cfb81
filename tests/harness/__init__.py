"""What cases, crash drivers, demo and bench share: processes, ports, waiting."""
