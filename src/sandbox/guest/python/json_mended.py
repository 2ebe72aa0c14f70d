"""json as programs use it: a tool's text that is JSON arrives as its value, and programs that parse it themselves get the same."""

import functools
import json

from .calls import settle

_PARSED = (dict, list, bool, int, float)


def mend_json():
    real = json.loads

    @functools.wraps(real)
    def loads(s, **options):
        s = settle(s)
        return s if isinstance(s, _PARSED) else real(s, **options)

    json.loads = loads
