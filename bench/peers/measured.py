"""Runs a command and prints what it used as the last line: seconds of processor time of it and its children, and its peak memory."""

import json
import resource
import subprocess
import sys

code = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
# Linux counts in kilobytes, macOS in bytes.
unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
sys.stdout.flush()
print("\n" + json.dumps({"cpu": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / unit}))
sys.exit(code)
