"""External memory providers on the Settings screen: setting one up, testing it, looking into it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.home import HermesHome
from hermes_tui.text import short_path
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.settings.honcho_item import honcho_items
from hermes_tui.ui.settings.items import Item
from hermes_tui.ui.settings.provider_item import ProviderItem

if TYPE_CHECKING:
    from hermes_tui.providers.remote import Remote
    from hermes_tui.providers.setup import Plan
    from hermes_tui.ui.settings.screen import SettingsScreen

HOLOGRAPHIC = "holographic"


def provider_items(home: HermesHome) -> list[Item]:
    """In a thread: every provider, and Honcho's own settings where it has any."""
    from hermes_tui.providers.honcho_settings import honcho_settings  # loaded here: in a thread, after the first look
    from hermes_tui.providers.status import provider_status

    return [*map(ProviderItem, provider_status(home).providers), *honcho_items(honcho_settings(home))]


class Providers:
    """What can be done with the provider under the cursor."""

    def __init__(self, screen: SettingsScreen) -> None:
        self._screen = screen

    @property
    def _provider(self) -> ProviderItem | None:
        item = self._screen.setting_list.current
        return item if isinstance(item, ProviderItem) else None

    # Setting up

    def set_up(self, item: ProviderItem, given: dict[str, str] | None = None, refused: str = "") -> None:
        """Ask for what it needs, show what would be written, write it; again when what was given would not do."""
        from hermes_tui.ui.dialogs.provider_setup import ProviderSetup  # loaded here: only setting up needs it

        def filled(filled_in: dict[str, str] | None) -> None:
            if filled_in is not None:
                self._screen.run_worker(self._plan(item, filled_in), name="plan setup", exit_on_error=False)

        self._screen.hermes.push_screen(ProviderSetup(item.status, given, refused), filled)

    async def _plan(self, item: ProviderItem, given: dict[str, str]) -> None:
        from hermes_tui.providers.setup import plan_setup  # loaded here: only setting up needs it

        app = self._screen.hermes
        try:
            plan = await asyncio.to_thread(plan_setup, app.home, item.status.name, given)
        except HermesTuiError as error:
            self.set_up(item, given, error.message)  # what to do next is said for the command line there
            return
        self.ask(plan, f"Set up {item.status.title}, and use it from the next session on?", "Write it")

    def ask(self, plan: Plan, question: str, yes: str) -> None:
        """Show what would be written, and write it if that is agreed to."""
        lines = [f"{short_path(path)}\n" + "\n".join(f"  {line}" for line in lines) for path, lines in plan.lines]

        def agreed(write: bool | None) -> None:
            if write:
                self._write(plan)

        detail = "\n".join([*lines, *plan.notes])
        self._screen.hermes.push_screen(Confirm(question, detail=detail, yes=yes), agreed)

    def _write(self, plan: Plan) -> None:
        from hermes_tui.providers.setup import apply_plan  # loaded here: only writing needs it

        def write(_home: HermesHome) -> str:
            apply_plan(plan)
            used = f"{plan.provider} is used" if plan.provider else "No external provider is used"
            return f"Written. {used} from the agent's next session on."

        self._start("set up provider", write)

    def switch_off(self) -> None:
        """Use no external provider."""
        from hermes_tui.providers.setup import plan_off  # loaded here: only writing needs it

        try:
            plan = plan_off(self._screen.hermes.home)
        except HermesTuiError as error:
            self._screen.hermes.say_error(error)
            return
        self.ask(plan, "Use no external provider? Its settings and keys stay, and so does what it holds.", "Use none")

    def undo(self) -> None:
        """Take the last setting up, or switching off, back."""
        from hermes_tui.providers.setup import undo_setup  # loaded here: only writing needs it

        def undo(home: HermesHome) -> str:
            return f"Taken back. External provider: {undo_setup(home).provider or 'none'}."

        self._start("undo provider", undo)

    def _start(self, name: str, change: Callable[[HermesHome], str]) -> None:
        self._screen.operations.start(name, lambda: change, self._screen.hermes.say, lambda _error: False)

    # Asking it

    def action_open(self) -> None:
        """Look at the memories that it holds."""
        item = self._provider
        if item is None:
            return
        if item.status.name == HOLOGRAPHIC:
            from hermes_tui.ui.dialogs.memories import Memories
            from hermes_tui.ui.settings.shelves import FactShelf

            self._screen.hermes.push_screen(
                Memories(FactShelf(self._screen.hermes.home, self._screen.hermes.read_only))
            )
            return
        self._ask_remote(item, "Look at the memories of", self._browse)

    def action_test(self) -> None:
        """Ask the provider whether it is there and takes the key."""
        if item := self._provider:
            self._ask_remote(item, "Test the connection to", self._probe)

    def _ask_remote(self, item: ProviderItem, verb: str, then: Callable[[Remote], None]) -> None:
        """Nothing is sent before a person has agreed to whom it goes."""
        from hermes_tui.providers.remote import Remote  # loaded here: few ask for it
        from hermes_tui.providers.remote_settings import LOCAL_KEY, remote_settings

        app = self._screen.hermes
        try:
            settings = remote_settings(app.home, item.status.name)
            remote = Remote(item.status.name, settings)
        except HermesTuiError as error:
            app.say(f"{error.message} {key_for('settings.change')} sets it up.", title=error.title, severity="warning")
            return

        def agreed(ask: bool | None) -> None:
            if ask:
                then(Remote(item.status.name, settings, confirmed=True))

        key = "the key" if settings.get("api_key") and settings.get("api_key") != LOCAL_KEY else ""
        told = " and ".join(filter(None, [remote.told, key]))
        detail = f"This sends requests to {remote.where}." + (f" It is told: {told}." if told else "")
        app.push_screen(Confirm(f"{verb} {remote.title}?", detail=detail, yes="Ask it"), agreed)

    def _browse(self, remote: Remote) -> None:
        from hermes_tui.ui.dialogs.memories import Memories
        from hermes_tui.ui.settings.shelves import RemoteShelf

        self._screen.hermes.push_screen(Memories(RemoteShelf(remote, self._screen.hermes.read_only)))

    def _probe(self, remote: Remote) -> None:
        self._screen.run_worker(self._probed(remote), name="probe", exit_on_error=False)

    async def _probed(self, remote: Remote) -> None:
        app = self._screen.hermes
        app.say(f"Asking {remote.where} …", seconds=2)
        try:
            with remote:
                answer = await asyncio.to_thread(remote.probe)
        except HermesTuiError as error:
            app.say_error(error)
        else:
            app.say(f"{answer.where}: {answer.words}", title="It works", seconds=8)
