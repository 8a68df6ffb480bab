"""The quick stylesheet gives every widget just the styles that Textual's own would."""

from __future__ import annotations

from collections.abc import Mapping

from textual.css.styles import Styles
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.stylesheet import QuickStylesheet
from tests.ui.conftest import Open


class Plain(Stylesheet):
    """Textual's own way, which keeps what it finds instead of changing the widget."""

    found: Styles

    @classmethod
    def replace_rules(cls, node: DOMNode, rules: Mapping[str, object], animate: bool = False) -> None:  # noqa: ARG003
        """Keep them."""
        cls.found = Styles()
        for key, value in rules.items():
            setattr(cls.found, key, value)

    def _process_component_classes(self, node: DOMNode) -> None:
        """They are asked for one by one."""


def told(node: DOMNode) -> str:
    """Where a node is."""
    return " > ".join(str(each) for each in node.css_path_nodes)


def rules_of(styles: Styles) -> dict[str, object]:
    """The rules, as values that can be compared."""
    return {key: str(value) if key == "layout" else value for key, value in styles.get_rules().items()}


def check(app: HermesTuiApp) -> int:
    """Compare all that is on the screen; how many nodes that was."""
    plain = Plain(variables=app.stylesheet._variables)
    plain.source = app.stylesheet.source.copy()
    plain.parse()
    nodes: list[DOMNode] = [app]
    for screen in app.screen_stack:
        for node in screen.walk_children(with_self=True):
            nodes.append(node)
            for name in sorted(node._get_component_classes()):
                part = node.get_component_styles(name).node
                assert part is not None
                nodes.append(part)
    for node in nodes:
        Plain.found = Styles()
        plain.apply(node)
        assert rules_of(node.styles.base) == rules_of(Plain.found), told(node)
    return len(nodes)


async def test_every_widget_has_the_styles_it_would_have_anyway(open_app: Open) -> None:
    """A colour, a frame or a whole widget would be off, and only after some way through the app."""
    async with open_app(("first fact", "second fact")) as driver:
        app = driver.app
        assert isinstance(app.stylesheet, QuickStylesheet)
        for keys in ((), ("tab",), ("question_mark",), ("escape", "e"), ("x",), ("ctrl+z", "escape", "ctrl+p")):
            await driver.press(*keys)
            await driver.settle()
            assert check(app) > 12
        app.theme = "hermes-light"
        await driver.settle()
        assert check(app) > 12
        await driver.press("escape", "3", "f")
        await driver.settle()
        assert check(app) > 12
