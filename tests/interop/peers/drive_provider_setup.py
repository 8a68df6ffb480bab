"""Runs inside an agent's own environment: one JSON request a line in, one JSON answer a line out.

Each request is about another home, so the agent's own code answers in a process of its own. Nothing of ours is
imported here.
"""

import contextlib
import importlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path


def load_variables():
    from hermes_cli.env_loader import load_hermes_dotenv

    load_hermes_dotenv(hermes_home=os.environ["HERMES_HOME"])


def nothing_runs(*_, **__):
    """Setting up fetches packages; a test does not."""
    raise FileNotFoundError("no programs here")


def status(_):
    """What `hermes memory status` prints, and whether each plugin says that it is set up."""
    load_variables()
    from hermes_cli import memory_setup
    from plugins.memory import find_provider_dir, load_memory_provider

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        memory_setup.cmd_status(None)
    names = ["byterover", "hindsight", "holographic", "honcho", "mem0", "openviking", "retaindb", "supermemory"]
    available = {}
    for name in names:
        provider = load_memory_provider(name) if find_provider_dir(name) else None
        available[name] = None if provider is None else bool(provider.is_available())
    return {"text": said.getvalue(), "available": available}


def setup(request):
    """The plugin's own setup, with these lines typed and these choices made."""
    load_variables()
    from hermes_cli import curses_ui, memory_setup, secret_prompt

    typed = iter(request.get("typed", []))
    choices = iter(request.get("choices", []))
    memory_setup._install_dependencies = lambda *_: None
    curses_ui.curses_radiolist = lambda *_, **__: next(choices)
    secret_prompt.masked_secret_prompt = lambda *_: next(typed)
    memory_setup.masked_secret_prompt = secret_prompt.masked_secret_prompt
    sys.stdin = io.StringIO("\n".join(request.get("typed_lines", [])) + "\n")
    sys.argv = ["hermes", *request.get("argv", [])]
    subprocess.run = nothing_runs
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        if request["provider"] == "openviking":
            connect_openviking(request["values"])
        elif request.get("generic"):
            memory_setup.cmd_setup(None)
        else:
            if request["provider"] == "honcho":
                from plugins.memory.honcho import cli

                cli._ensure_sdk_installed = lambda: True
                cli._prompt = lambda *_, default=None, **__: next(typed) or default or ""
            if request["provider"] == "hindsight":
                import builtins
                import shutil

                shutil.which = lambda *_, **__: None
                builtins.input = lambda *_: next(typed)
            memory_setup.cmd_setup_provider(request["provider"])
    return {"said": said.getvalue()}


def connect_openviking(values):
    """What the plugin's setup does with an answer once its server has answered."""
    from hermes_cli.config import load_config, save_config
    from plugins.memory import openviking

    config = load_config()
    env_path = Path(os.environ["HERMES_HOME"]) / ".env"
    if "path" in values:
        path = Path(values.pop("path"))
        openviking._write_ovcli_config(path, values)
        openviking._link_ovcli_profile(config=config, provider_config={}, env_path=env_path, ovcli_path=path)
    else:
        openviking._save_hermes_only_config(config=config, provider_config={}, env_path=env_path, values=values)
    save_config(config)


def variables(request):
    """What the agent's environment holds after it has read its `.env` files."""
    load_variables()
    return {"values": {name: os.environ.get(name) for name in request["names"]}}


def facts(request):
    """Additions made through the plugin, as the agent passes them on."""
    load_variables()
    from plugins.memory import load_memory_provider

    provider = load_memory_provider("holographic")
    provider.initialize("session", hermes_home=os.environ["HERMES_HOME"])
    for store, text in request["adds"]:
        provider.on_memory_write("add", store, text)
    provider.shutdown()
    return {"done": len(request["adds"])}


DOES = {"status": status, "setup": setup, "variables": variables, "facts": facts}


def answer(request):
    """The answer of a child of this process, whose agent has read nothing yet."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        try:
            os.environ |= {"HERMES_HOME": request["home"], "HERMES_DISABLE_LAZY_INSTALLS": "1"}
            os.environ.update(request.get("environ", {}))
            Path(request["home"]).mkdir(parents=True, exist_ok=True)
            result = DOES[request["do"]](request)
        except BaseException as error:  # the test has to see it
            import traceback

            result = {"raised": repr(error), "trace": traceback.format_exc()}
        with os.fdopen(write_end, "w") as stream:
            json.dump(result, stream)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return json.loads(text)


def main():
    # Loaded once, before any home is looked at, so that a child need not: what is read of a home is read there.
    for name in ("hermes_cli.config", "hermes_cli.env_loader", "hermes_cli.memory_setup", "plugins.memory"):
        importlib.import_module(name)

    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


main()
