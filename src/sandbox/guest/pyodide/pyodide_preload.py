"""What the snapshot has loaded: the guest, and what programs import the most. The rest comes out of the library when it is asked for."""

import importlib
import os

# What CPython has in place of pyodide_stdio.py.
_NOT_HERE = ("runner", "pipes", "zygote")
_LIBRARY = """
argparse ast asyncio base64 bisect calendar collections collections.abc concurrent.futures configparser contextlib copy
csv dataclasses datetime decimal difflib email.message email.utils enum fnmatch fractions functools getpass
glob gzip hashlib heapq hmac html html.parser inspect io itertools json linecache
locale logging math mimetypes operator os pathlib pprint queue random re secrets
shutil signal statistics string struct tempfile textwrap threading time traceback types typing
unicodedata urllib.parse urllib.request uuid warnings xml.etree.ElementTree zipfile zlib zoneinfo
"""

for _name in _LIBRARY.split():
    importlib.import_module(_name)
for _name in sorted(os.listdir(os.path.dirname(__file__))):
    _stem, _end = os.path.splitext(_name)
    if _end == ".py" and _stem not in _NOT_HERE:
        importlib.import_module(f"{__package__}.{_stem}")

# What it leaves in caches is in the snapshot.
importlib.import_module(f"{__package__}.pyodide_stdio").warm_up()
