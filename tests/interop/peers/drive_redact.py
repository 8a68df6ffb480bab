"""Runs inside an agent's environment: reads texts as JSON lines, answers with each as the agent masks it."""

from __future__ import annotations

import json
import sys

from agent.redact import redact_sensitive_text

for line in sys.stdin:
    print(json.dumps({"masked": redact_sensitive_text(json.loads(line), force=True)}))
