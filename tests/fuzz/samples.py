"""Files, messages and answers as they may be: some in order, some that somebody would try."""

from __future__ import annotations

from typing import Any

DEEP = 600
"""So far in that what reads it once may not do for what uses it."""
STORE = "The user likes tea\n§\nDeploys go out on Friday\n§\nUse uv, not pip"
CONFIGS = (
    "",
    "memory:\n  memory_enabled: true # yes\n  memory_char_limit: 2200\n  write_approval: false\n"
    "sessions:\n  auto_prune: yes\n",
    "# head\nmemory: {memory_enabled: true, provider: ''}\nskills: {}\n",
    "memory: &m\n  write_approval: 'on'\nskills: *m\nother:\n  <<: *m\n",
    "memory:\n  provider: |\n    text\n    more\n\n# tail",
    'memory:\nauxiliary:\n  title_generation:\n    model: "x"\n  \n  # a comment\n',
    "? memory\n: write_approval: !!bool yes\n",
    "memory: ~\r\ncurator:\r\n  backup: {keep: 5}\r\n",
    "\ufeff_config_version: 33\nmemory:\n  - a\n",
    "--- # one\nmemory: {memory_char_limit: 1_000}\n...\n",
    "memory.write_approval: true\n\"memory\":\n  write_mode: approve\n  'user_char_limit': 0x10\n",
    "a: 12:30:45\nb: 2001-12-14t21:59:43.10-05:00\nc: !!set {x, y}\nd: !!python/object:os.system x\ne: .inf\n",
)
ENVS = (
    "",
    "# keys\nHONCHO_API_KEY=abc\nexport MEM0_API_KEY='x y' # mine\nA=\"b\\n${HOME}\"\nB\n=\n",
    "A='one\ntwo'\r\nA=2\r\nHONCHO_API_KEY=aMEM0_API_KEY=b\n",
    "\ufeffA=1\n A = 2 # c\n'A'=3\nA=",
    "A='it\\'s'\nB=\"never closed\nC=1",
)
HONCHOS = (
    "{}",
    '{"apiKey": "x", "workspace": "w", "hosts": {"hermes": {"recallMode": "hybrid", "writeFrequency": 3}}}',
    '{\n  "dialecticCadence" : 2,\n  "hosts": {"hermes": {}}\n}\n',
    '{"a": 1, "a": 2, "dialecticDepthLevels": ["low"], "contextTokens": true}',
    "[]",
)
VIEWS = (
    "",
    '{"sessions": [{"name": "a", "query": "tea"}, {"name": "Ä", "sort": "newest"}], "pending": []}',
    '{"sessions": [{"name": "\\ud800"}], "other": {"x": 1e999}}',
    '{"sessions": [{"name": 1}]}',
)
OWN = (
    "",
    "theme: hermes-dark\nscreen: memory\nmouse: no\nkeys:\n  memory.add: a\n  app.quit: [ctrl+x, q]\n",
    "keys: {memory.add: e, memory.edit: a, pending.approve: ctrl++, x: ''}\nthem: 1\n",
    "reduced_motion: maybe\nread_only: {a: b}\n1: 2\n? [a]\n: b\n",
)
PAYLOADS: tuple[dict[str, Any], ...] = (
    {"action": "add", "target": "memory", "content": "Use tabs"},
    {"action": "replace", "target": "memory", "old_text": "tea", "content": "The user likes coffee"},
    {"action": "patch", "target": "memory", "old_text": "Friday", "new_text": "Monday"},
    {"action": "remove", "target": "user", "old_text": "x", "matched_entry": "x"},
    {"action": "batch", "target": "memory",
     "operations": [{"action": "add", "content": "b"}, {"action": "remove", "old_text": "tea"}]},
    {"action": "add", "target": "memory", "content": "one\n§\ntwo"},
    {"action": "add", "target": [], "content": {}},
)  # fmt: skip
CALLS = (
    '[{"id": "c1", "type": "function", "function": {"name": "memory", "arguments": "{\\"action\\": \\"add\\"}"}}]',
    '[{"name": "x", "input": {"a": [1, null]}}, 5, {"function": {"name": 1}}]',
    "{}",
    "[[]]",
)
CONTENTS = (
    '\x00json:[{"type": "text", "text": "tea"},'
    ' {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]',
    '\x00json:{"content": ["a", {"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}}]}',
    "\x00json:" + "[" * DEEP + "]" * DEEP,
    "\x00json:" + '{"content":[' * (DEEP // 2) + "]}" * (DEEP // 2),
    "[CONTEXT COMPACTION] what was said",
    '{"success": true, "usage": "67% — 1,474/2,200 chars", "entry_count": 3}',
)
ANSWERS = (
    '{"choices": [{"message": {"content": "<think>hm</think> Tea"}, "finish_reason": "stop"}]}',
    '{"choices": [{"message": {"content": [{"type": "text", "text": "Tea"}]}}]}',
    '{"error": {"message": "no kkkkkkkkkkkkkkkkkkkkkkkk", "code": 401}}',
    '{"items": [{"id": "1", "content": "likes tea", "created_at": "2026-01-01T00:00:00Z", "score": 0.5}],'
    ' "total": 1, "pages": 2}',
    '{"results": [{"id": 1, "memory": "likes tea", "metadata": {"a": [1]}, "updated_at": 1e300}]}',
    '{"memories": [{"memory": {"id": [], "content": null}}], "pagination": {"totalPages": "x"}}',
    "Wed, 21 Oct 2026 07:28:00 GMT",
    "<html>",
    '{"peer_card": ["a", 1], "representation": "x", "status": "ok",'
    ' "result": {"memories": [{"uri": "viking://x", "abstract": "y"}]}}',
)
QUERIES = (
    'otter NOT "docker swarm" -x', "source:cli title:about after:7d before:2025-03", "項目 OR C#项目组", "sw*", '"',
    "NEAR(a b)",
    "in:later role:u archived:also", "a" * 40,
    "col:^x { } ( )", "knew:tea wrote:\"a b\"", "\x00 \u0301", "ＦＵＬＬ ıİ ß",
)  # fmt: skip
LOG = (
    "2026-01-01 10:00:00,000 INFO [s1] agent: tool memory completed (0.01s, 204 chars)\n"
    "2026-01-01 10:00:01,000 INFO [s1] agent: conversation turn: history=3 origin=background_review"
    " msg='Review the conversation above'\n"
    "2026-01-01 10:00:02,000 INFO [s1] agent: Background review complete: x thread=bg-review:1 result=skill+memory\n"
    "9999-99-99 99:99:99,999 INFO [s1] tool memory completed (, ,,, chars)\n"
)
JOURNAL = (
    '{"id":"0123456789abcdef","state":"open","at":1.5,"kind":"add","origin":"cli","of":"","files":[{"store":"memory",'
    '"before":"x","after":"y","hunks":[[0,[],["one"],null]],"raw_before":null,"temp":".mem_0123456789abcdef.tmp"}],'
    '"others":[],"label":"add in MEMORY.md","group":""}\n'
    '{"id":"0123456789abcdef","state":"done","at":2.5}\n'
)
SESSION = (
    '{"id": "s1", "source": "cli", "started_at": 1.7e9, "title": "Tea", "messages": [{"role": "user", "content": "tea",'
    ' "timestamp": 1.7e9}, {"role": "assistant", "content": ["a"], "tool_calls": [{"id": "c"}]}]}\n'
)
ASKED = (
    "{}",
    '{"session_id": "later", "around_message_id": "5", "window": 1e9}',
    '{"session_id": "@session:x/y"}',
    '{"session_id": "latest"}',
    '{"query": "otter", "limit": true, "after": "7d", "before": "2026-07-01T00:00"}',
)
UNDOS = (
    '[{"at": 1.5, "key": "memory.provider", "before": null, "after": "x", "text": "", "digest": "d"}]',
    '{"files": [{"path": "x", "before": null, "after": "y"}, 1],'
    ' "settings": [{"key": "memory.provider", "before": null}]}',
    '[{"at": 1.5, "key": "[\\"recallMode\\"]", "before": "\\"x", "after": "1", "text": "{}", "digest": "d"}]',
    '{"id": "a", "at": 1, "kind": "rename", "label": "x"}\n{"id": "a", "counts": {"s": Infinity}, "cells": [["later",'
    ' "title", "x", "Later"]]}\n{"id": "a", "state": "done"}\n',
)
"""What is kept of changes that can be taken back: of settings, of a provider, of Honcho, of sessions."""
