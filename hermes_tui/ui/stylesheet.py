"""The stylesheets of the app, applied with no more work than a change needs.

Textual looks through every rule for every widget, works out the styles of components that are never drawn, and sets
each style anew: half of what opening a dialog took.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.app import App
from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

if TYPE_CHECKING:
    from textual.css.model import RuleSet
    from textual.css.styles import RenderStyles, RulesMap

SHEETS = 512
"""So many stylesheets stay parsed; a widget has one or two."""
DIFFERENT_NODES = 1024
"""For so many kinds of place in the tree it is remembered which rules hold there."""


class QuickStylesheet(Stylesheet):
    """A stylesheet that remembers what it found out, until the rules are others."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = LRUCache(SHEETS)
        self._of: object = None
        """The rules that all below was found out from."""
        self._near: dict[frozenset[str], list[RuleSet]] = {}
        self._found: dict[object, RulesMap] = {}
        self._asked: list[RuleSet] | None = None
        """What is answered to the next question for the rules: those that may hold for the node it is about."""

    @property
    def rules(self) -> list[RuleSet]:
        """All rules, or those that matter for what is going on."""
        asked, self._asked = self._asked, None
        return super().rules if asked is None else asked

    def copy(self) -> Stylesheet:
        """Another one of the same sheets."""
        sheet = QuickStylesheet(variables=self._variables.copy())
        sheet.source = self.source.copy()
        return sheet

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take in the variables of a theme; nothing is parsed again for those it has."""
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        """Take in new variables or sheets; what was parsed with these variables is not parsed again."""
        self.parse()

    def apply(
        self, node: DOMNode, *, animate: bool = False, cache: dict[tuple[Any, ...], RulesMap] | None = None
    ) -> None:
        """Style one node."""
        del cache  # it lasts for one change, ours until the rules are others
        rules = super().rules
        if self._of is not rules:
            self._of = rules
            self._near.clear()
            self._found.clear()
        names = frozenset(self.rules_map.keys() & node._selector_names)
        near = self._near.get(names)
        if near is None:
            wanted = {id(rule) for name in names for rule in self.rules_map[name]}
            near = self._near[names] = [rule for rule in rules if id(rule) in wanted]
        self._asked = near
        super().apply(node, animate=animate, cache=cast("dict[tuple[Any, ...], RulesMap]", Recall(self._found, node)))

    @classmethod
    def replace_rules(cls, node: DOMNode, rules: RulesMap, animate: bool = False) -> None:
        """Give a node its styles; only those that are others are set."""
        held = node.styles.base
        now = held._rules
        if animate and ("transitions" in rules or "transitions" in now):
            super().replace_rules(node, rules, animate=True)
            return
        if now != rules:
            for key in now.keys() | rules.keys():
                value = rules.get(key)
                if now.get(key) != value:
                    setattr(held, key, value)
        node.notify_style_update()

    def _process_component_classes(self, node: DOMNode) -> None:
        """Work out again what a node has drawn with; the rest comes when it is asked for."""
        names = node._get_component_classes()
        if not names:
            return
        held = node._component_styles
        if not isinstance(held, Components):
            node._component_styles = Components(self, node, names)
        elif held.renew():
            node.refresh()


class Recall:
    """What was found for nodes like this one, in the place of a cache of Textual's."""

    def __init__(self, found: dict[object, RulesMap], node: DOMNode) -> None:
        self._found = found
        self._node = node
        self._place: object = None

    def get(self, _key: object) -> RulesMap | None:
        """The styles, if they are known."""
        self._place = place_of(self._node)
        return self._found.get(self._place)

    def __setitem__(self, _key: object, rules: RulesMap) -> None:
        """Remember them."""
        if len(self._found) >= DIFFERENT_NODES:
            self._found.clear()
        self._found[self._place] = rules


def place_of(node: DOMNode) -> object:
    """All of a node and what it is in that the rules ask for, those about order and what is inside apart."""
    return tuple(
        (
            type(each),
            each.id,
            each.classes,
            (each.app_focus, each.native_ansi_color, each.current_theme.dark)
            if isinstance(each, App)
            else each._pseudo_classes_cache_key,
            getattr(each, "can_focus", False),
        )
        for each in node.css_path_nodes
    )


class Components(dict[str, "RenderStyles"]):
    """The styles of the components of one widget, each worked out when it is first asked for."""

    def __init__(self, sheet: QuickStylesheet, node: DOMNode, names: frozenset[str]) -> None:
        super().__init__()
        self._sheet = sheet
        self._node = node
        self._names = names

    def __contains__(self, name: object) -> bool:
        """Whether there is such a component, asked for or not."""
        return name in self._names

    def __missing__(self, name: str) -> RenderStyles:
        """Work it out."""
        if name not in self._names:
            raise KeyError(name)
        styles = self[name] = self._made(name)
        return styles

    def _made(self, name: str) -> RenderStyles:
        part = DOMNode(classes=name)
        part._attach(self._node)
        self._sheet.apply(part)
        return part.styles

    def renew(self) -> bool:
        """Work out again what was asked for; whether any of it is another now."""
        before = dict(self)
        for name in before:
            self[name] = self._made(name)
        return any(styles != self[name] for name, styles in before.items())
