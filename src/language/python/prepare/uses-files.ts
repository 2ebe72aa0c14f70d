import type { PythonBindings } from "../check/bindings.ts";

/**
 * Modules of Python's library by which a program comes to no file, as far as models use them. With any other one the folders are
 * handed over: that takes a little longer, and without them a program that needs them fails.
 */
const WITHOUT_FILES = new Set(
  (
    "__future__ abc array asyncio base64 binascii bisect calendar cmath collections colorsys contextlib copy dataclasses " +
    "datetime decimal difflib enum fractions functools hashlib heapq hmac html ipaddress itertools json keyword math numbers " +
    "operator pprint queue random re secrets servers skills statistics string struct textwrap time timeit traceback types typing " +
    "typing_extensions unicodedata uuid warnings weakref"
  ).split(" "),
);
const WITHOUT_FILES_IN = new Set([
  "urllib.parse",
  "concurrent.futures",
  "email.utils",
  "xml.sax.saxutils",
  "html.parser",
]);
/** Words by which a program comes to files without an import, or to anything at all. */
const WORDS =
  /(?<![\p{ID_Continue}])(?:open|exec|eval|compile|getattr|globals|locals|vars|input|breakpoint|help|__\w+__|workspace|pii|run_command)(?![\p{ID_Continue}])/u;

/** Whether a program may use files, also by ways that can't be read off it. */
export function mayUseFiles(text: string, { imports }: Pick<PythonBindings, "imports">): boolean {
  if (WORDS.test(text.normalize("NFKC"))) return true;
  return imports.some(({ module }) => {
    const [root = ""] = module.split(".");
    // In a skill it is another skill.
    if (root === "") return false;
    return !WITHOUT_FILES.has(root) && !WITHOUT_FILES_IN.has(module);
  });
}
