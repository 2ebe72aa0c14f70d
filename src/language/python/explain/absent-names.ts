/** Names that models write out of habit, each with what to write instead. Shown after "Cannot find name …". */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["null", "Write None"],
  ["undefined", "Write None"],
  ["nil", "Write None"],
  ["true", "Write True"],
  ["false", "Write False"],
  ["this", "Write self, which a method is given as its first argument"],
  ["console", "Use print(…)"],
  ["JSON", "import json, then json.dumps(…) and json.loads(…)"],
  ["Math", "import math"],
  ["Date", "from datetime import datetime"],
  ["Promise", "import asyncio, then await asyncio.gather(…)"],
  ["Object", "A dict has keys(), values() and items()"],
  ["servers", "Write import servers before it, or the name of a server: each is a global"],
  ["require", "Use import"],
  ["process", "There is no environment: servers hold their own secrets"],
  ["callMCPTool", "Use call_mcp_tool"],
  ["searchTools", "Use search_tools"],
  ["runCommand", "Use run_command"],
  ["unicode", "Use str"],
  ["xrange", "Use range"],
  ["raw_input", "There is no terminal: put the value into the program"],
  ["Path", "from pathlib import Path"],
  ["datetime", "from datetime import datetime"],
  ["timedelta", "from datetime import timedelta"],
  ["timezone", "from datetime import timezone"],
  ["date", "from datetime import date"],
  ["defaultdict", "from collections import defaultdict"],
  ["Counter", "from collections import Counter"],
  ["OrderedDict", "from collections import OrderedDict"],
  ["deque", "from collections import deque"],
  ["dataclass", "from dataclasses import dataclass"],
  ["partial", "from functools import partial"],
  ["reduce", "from functools import reduce"],
  ["Decimal", "from decimal import Decimal"],
  ["Any", "from typing import Any"],
  ["sleep", "import asyncio, then await asyncio.sleep(…)"],
  ["gather", "import asyncio, then await asyncio.gather(…)"],
]);

/** Of Python's library: what is most often used without being imported. */
const MODULES = new Set(
  (
    "asyncio base64 bisect calendar collections copy csv dataclasses decimal difflib enum functools glob gzip hashlib heapq " +
    "html io itertools json math operator os pathlib pprint random re shutil sqlite3 statistics string sys tempfile " +
    "textwrap time traceback typing urllib uuid zipfile zoneinfo"
  ).split(" "),
);

export function insteadOfPythonName(name: string): string | undefined {
  return INSTEAD.get(name) ?? (MODULES.has(name) ? `Write import ${name} before it` : undefined);
}
