"""Runs inside an agent's environment: reads texts as JSON lines, answers with the ids its scan finds in each."""

from __future__ import annotations

import json
import sys

from tools.threat_patterns import scan_for_threats

for line in sys.stdin:
    print(json.dumps({"ids": scan_for_threats(json.loads(line), "strict")}))
