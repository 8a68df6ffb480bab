"""Runs inside the agent's own environment: reads config.yaml texts as the agent would, one JSON line each."""

import json
import os
import sys
from pathlib import Path

from hermes_cli import config

for line in sys.stdin:
    asked = json.loads(line)
    path = Path(os.environ["HERMES_HOME"]) / "config.yaml"
    path.unlink(missing_ok=True)
    path.write_bytes(asked["text"].encode())
    os.utime(path, ns=(asked["number"] * 10**9, asked["number"] * 10**9))
    values = []
    loaded = config.load_config()
    for key in asked["keys"]:
        value = loaded
        for name in key.split("."):
            value = value.get(name, "(nothing)") if isinstance(value, dict) else "(nothing)"
        values.append(value)
    print(json.dumps({"values": values}), flush=True)
