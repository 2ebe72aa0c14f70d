import { describe, expect, it } from "vitest";
import { PYTHON_BUILTINS, PYTHON_GLOBALS } from "../../src/language/python/builtins.ts";
import type { Host } from "../../src/sandbox/sandbox.ts";
import type { PythonWorld } from "./python-conformance.ts";

/** What a Python program finds and may do, as far as what it runs in decides it: the Python, its library, the way to the host. */
export function testPythonRuntime(world: () => PythonWorld): void {
  describe("what Python is here", () => {
    const returned: PythonWorld["returned"] = (...given) => world().returned(...given);
    const failed: PythonWorld["failed"] = (...given) => world().failed(...given);

    it("hands over values of every kind", async () => {
      const code = `import array, datetime, decimal, dataclasses, fractions, uuid, pathlib, enum, collections
N = collections.namedtuple("N", "a b")
class Grid:
    def tolist(self): return [[1, 2]]
@dataclasses.dataclass
class P:
    a: int
    b: list
class E(enum.Enum):
    ONE = 1
loop = {}; loop["self"] = loop
return [float("nan"), float("inf"), {3, 1, 2}, (1, 2), P(1, [2]), datetime.date(2020, 1, 2), decimal.Decimal("1.5"), decimal.Decimal("1.00000000000000000001"), decimal.Decimal("1e30"), b"hi", 2**60, {1: "a", None: "b", (1, 2): "c"},
  uuid.UUID(int=5), pathlib.Path("workspace/a"), E.ONE, collections.Counter("aab"), range(3), (n for n in "ab"), loop, "\\ud800", ValueError("bad"),
  N(1, 2), array.array("i", [1, 2]), Grid(), datetime.timedelta(minutes=1), fractions.Fraction(1, 3)]`;
      expect(await returned(code)).toEqual([
        ...[
          null,
          null,
          [1, 2, 3],
          [1, 2],
          { a: 1, b: [2] },
          "2020-01-02",
          1.5,
          "1.00000000000000000001",
          "1E+30",
          expect.stringMatching(/^<bytes, 2 B: .*write_bytes.*emit/),
          "1152921504606846976",
        ],
        { 1: "a", null: "b", "(1, 2)": "c" },
        ...["00000000-0000-0000-0000-000000000005", "workspace/a", 1, { a: 2, b: 1 }, [0, 1, 2], ["a", "b"]],
        ...[{ self: "[Circular]" }, "\ufffd", "ValueError: bad", [1, 2], [1, 2], [[1, 2]], 60, "1/3"],
      ]);
      const deep = "x = []\nfor _ in range(3000): x = [x]\nreturn x";
      expect((await failed(deep)).message).toContain("nested deeper than 512 levels");
    });

    it("waits for work that is not awaited", async () => {
      const made: string[] = [];
      const host: Host = { callTool: async (_server, tool) => made.push(tool) };
      const code = `import asyncio, threading
async def work(n):
    await asyncio.sleep(0.01)
    await github.late(n=n)
for n in range(2): asyncio.create_task(work(n))
asyncio.ensure_future(github.sent())
threading.Thread(target=lambda: github.of_thread()).start()
return "first"`;
      expect(await returned(code, host)).toBe("first");
      expect(made.sort()).toEqual(["late", "late", "of_thread", "sent"]);
    });

    it("points at the line that raised, in the program's own lines", async () => {
      expect(await failed('a = 1\ndef f():\n    raise KeyError("bad")\nf()')).toMatchObject({
        kind: "exception",
        name: "KeyError",
        location: { line: 3 },
        source: { line: 3 },
        stack: [{ line: 3, function: "f" }, { line: 4 }],
      });
      expect(await failed("x = [\n")).toMatchObject({ name: "SyntaxError", source: { line: 1 } });
      const chained = 'try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError("no") from e';
      expect((await failed(chained)).message).toBe("no\n  caused by: ZeroDivisionError: division by zero");
      const grouped =
        "import asyncio\nasync def bad(): raise ValueError('inner')\nasync with asyncio.TaskGroup() as g: g.create_task(bad())";
      expect(await failed(grouped)).toMatchObject({ name: "ValueError", message: "inner" });
    });

    it("has the same paths in every tier", async () => {
      const code = `import os, pathlib, tempfile
os.makedirs("workspace/places", exist_ok=True)
open("/workspace/places/a", "w").close()
seen = [os.getcwd(), os.path.abspath("workspace/places/a"), os.path.realpath("workspace/places"), str(pathlib.Path("workspace/places").resolve() / "a")]
try: open("/workspace/places/none")
except OSError as error: seen.append(f"{error.strerror}: {error.filename}")
os.chdir("workspace/places")
return [*seen, os.getcwd(), os.listdir(), os.path.dirname(tempfile.mkstemp()[1])]`;
      expect(await returned(code, undefined, { folders: [world().workspace] })).toEqual([
        "/",
        "/workspace/places/a",
        "/workspace/places",
        "/workspace/places/a",
        "No such file or directory: /workspace/places/none",
        "/workspace/places",
        ["a"],
        "/workspace",
      ]);
    });

    it("passes output on in order", async () => {
      const seen: unknown[] = [];
      const host: Host = {
        callTool: async () => null,
        onLog: (level, text) => seen.push([level, text]),
        onEmit: (block) => seen.push(block),
      };
      const code = `import sys, logging
print("a", {"b": 1}, sep="-")
print("no end", end="", flush=True)
print("!")
print("oh", file=sys.stderr)
logging.warning("careful")
sys.stdout.write("two\\nlines\\n")
emit("text")
emit({"type": "image", "data": b"\\x01\\x02"})
sys.stdout.buffer.write("bytés\\n".encode())
print("open", end="")`;
      await world().run(code, host);
      expect(seen).toEqual([
        ["info", "a-{'b': 1}"],
        ["info", "no end"],
        ["info", "!"],
        ["error", "oh"],
        ["error", "WARNING:root:careful"],
        ["info", "two\nlines"],
        { type: "text", text: "text" },
        { type: "image", data: "AQI=", mimeType: "application/octet-stream" },
        ["info", "bytés"],
        ["info", "open"],
      ]);
    });

    it("shows what was flushed, whatever becomes of the program after it", async () => {
      const logs: string[] = [];
      const host: Host = { callTool: async () => null, onLog: (_level, text) => logs.push(text) };
      const code = `import sys
print("line", flush=True)
print("part", end="", flush=True)
sys.stdout.write("more")
sys.stdout.flush()
while True: pass`;
      await world().failed(code, host, { limits: { wallMs: 1_000, cpuMs: 60_000 } });
      expect(logs).toEqual(["line", "part", "more"]);
    });

    it("has the names that the check before a run knows, and no others", async () => {
      const code =
        "return [sorted(globals()), sorted(name for name in KNOWN if name not in __builtins__ and name not in globals())]";
      const known = `KNOWN = ${JSON.stringify([...PYTHON_BUILTINS])}
`;
      const [own, missing] = Object(await world().returned(known + code));
      const names = own.filter((name: string) => !name.startsWith("_") && name !== "KNOWN");
      expect(names).toEqual([...PYTHON_GLOBALS, "github", "memory"].sort());
      // Those of later Pythons, and of classes and modules.
      const notEverywhere = ["PythonFinalizationError", "__annotations__", "__cached__", "__class__"];
      expect(missing.filter((name: string) => !notEverywhere.includes(name))).toEqual([]);
    });

    it("gets bytes as bytes, text as text, and large results whole", async () => {
      const large = { rows: Array.from({ length: 20_000 }, (_, n) => ({ n, text: "x".repeat(40) })) };
      const host: Host = {
        callTool: async (_server, tool) =>
          tool === "bytes"
            ? new Uint8Array([1, 2, 255])
            : tool === "text"
              ? "words"
              : tool === "none"
                ? undefined
                : large,
      };
      const code = `rows = github.large().rows
return [list(github.bytes()), github.text().upper(), github.none(), len(rows), rows[-1].n]`;
      expect(await returned(code, host)).toEqual([[1, 2, 255], "WORDS", null, 20_000, 19_999]);
    });

    it("cancels a call whose time is over", async () => {
      let aborted = 0;
      const host: Host = {
        callTool: (_server, _tool, _args, signal) =>
          new Promise(() => signal.addEventListener("abort", () => aborted++)),
      };
      const code = `import asyncio
try:
    await asyncio.wait_for(github.slow(), 0.05)
except asyncio.TimeoutError:
    return "timed out"`;
      expect(await returned(code, host)).toBe("timed out");
      expect(aborted).toBe(1);
    });

    it("has the standard library that makes sense", async () => {
      const modules =
        "abc ast asyncio base64 bisect calendar cmath collections colorsys concurrent.futures contextlib copy csv dataclasses datetime decimal difflib email enum fnmatch fractions functools glob gzip hashlib heapq hmac html http.client io itertools json keyword logging lzma math mimetypes operator os pathlib pickle pprint queue random re sched secrets shutil sqlite3 statistics string struct sys tempfile textwrap threading time timeit traceback types typing unicodedata unittest urllib.parse urllib.request uuid warnings weakref xml.etree.ElementTree zipfile zlib zoneinfo";
      const code = `import importlib
return [name for name in "${modules}".split() if importlib.import_module(name) is None]`;
      expect(await returned(code)).toEqual([]);
    });
  });
}
