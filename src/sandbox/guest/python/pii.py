"""`pii` of a program: what it may know of personal values that it holds as tokens, or as they are. The host tells it of each, by its text."""

import json
import re
import types

from .calls import settle
from .pii_values import country_of, domain_of, is_same_value, last4_of, mask_of, year_of

# Also in small letters, as others may have written it.
_TOKEN = re.compile(r"\[[A-Z][A-Z_]{0,23}_\d{1,18}\]", re.I | re.A)
_LONGEST_TOKEN = 46


class Pii:
    def __init__(self):
        self._known = {}
        self._held = {}
        self._is_denied = False
        self.shown = types.SimpleNamespace(
            equal=self._equal,
            domain=self._helper("domain", str, domain_of),
            last4=self._helper("last4", str, last4_of),
            country=self._helper("country", str, country_of),
            mask=self._helper("mask", str, mask_of),
            year=self._helper("year", int, year_of),
        )

    def start(self, facts):
        """Of the program's own text, or that it is denied them."""
        self._is_denied = facts == "denied"
        self._learn_all(facts)

    def hold(self, id, payload):
        """Facts that came, for when the program gets the result they belong to."""
        self._held.setdefault(id, []).append(payload)

    def learn(self, id):
        for payload in self._held.pop(id, ()):
            try:
                self._learn_all(json.loads(payload))
            except ValueError:
                # What can't be read tells nothing.
                pass

    def _learn_all(self, facts):
        for fact in facts if isinstance(facts, list) else ():
            if isinstance(fact, list) and len(fact) == 3 and isinstance(fact[0], str) and isinstance(fact[2], dict):
                self._known[_to_key(fact[0])] = (fact[1], fact[2])

    def _helper(self, name, kind, of_value):
        def help(value):
            if self._is_denied:
                error = PermissionError(f"Cannot use pii.{name}: privacy.helpers of keyhole.config is false. pii.equal(a, b) works")
                error.code = "denied"
                raise error
            text = _to_text(settle(value), name)
            if text is None:
                return None
            key = _to_key(text)
            if key in self._known:
                told = self._known[key][1].get(name)
                return told if isinstance(told, kind) else None
            if _is_token(key):
                raise TypeError(f"{key} is not a value that this program was given")
            return of_value(text)

        help.__name__ = name
        return help

    def _equal(self, a, b):
        first, second = _to_text(settle(a), "equal"), _to_text(settle(b), "equal")
        if first is None or second is None:
            return first is second
        key, other = _to_key(first), _to_key(second)
        if key == other:
            return True
        same_as = self._known.get(key, (None,))[0]
        if same_as is not None and same_as == self._known.get(other, (None,))[0]:
            return True
        return not _is_token(key) and not _is_token(other) and is_same_value(first, second)


def _is_token(key):
    return len(key) <= _LONGEST_TOKEN and _TOKEN.fullmatch(key) is not None


def _to_key(text):
    trimmed = text.strip()
    return trimmed.upper() if _is_token(trimmed) else trimmed


def _to_text(value, name):
    """A field that is not there has no facts; anything but a text is a mistake."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f'pii.{name} takes a text, a value or its token, and got "{type(value).__name__}"')
