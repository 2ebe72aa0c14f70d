import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { PYTHON_GUEST } from "../../src/sandbox/guest-spec.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { processTier } from "../fixtures/process-tier.ts";

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;

/** From Python to a function of JavaScript's that makes functions: the way that can't be closed. */
const ESCAPED = `import asyncio, pyodide_js
Function = pyodide_js.runPython.constructor
async def settled(code):
    Function("globalThis.told = undefined; (async () => { try { globalThis.told = 'got ' + String(await (" + code + ")) } catch (e) { globalThis.told = 'refused ' + e } })()")()
    while Function("return globalThis.told")() is None: await asyncio.sleep(0.01)
    return Function("return globalThis.told")()
`;

/** Each must be refused, in JavaScript's words. */
const REACHES = (port: number) => [
  'import("node:fs")',
  'import("node:child_process")',
  'import("node:worker_threads")',
  'import("file:///etc/passwd", { with: { type: "text" } })',
  'import("file:///etc/passwd", { with: { type: "bytes" } })',
  `import("http://127.0.0.1:${port}/x.js")`,
  `fetch("http://127.0.0.1:${port}/")`,
  'new Worker("data:text/javascript,1", { type: "module" })',
  'Deno.readTextFileSync("/etc/passwd")',
  'process.binding("fs")',
  'pyodide.loadPackage("numpy")',
];

describe.each([
  ["without bubblewrap", "never"],
  ["in bubblewrap", "always"],
] as const)("JavaScript around Pyodide, %s", (name, bubblewrap) => {
  const isMissing = bubblewrap === "always" && !hasBubblewrap;
  const test = isMissing ? it.skip : it;
  let sandbox: Sandbox;
  beforeAll(() => {
    if (!isMissing)
      sandbox = createSandbox({ guest: PYTHON_GUEST, tiers: processTier({ bubblewrap, python: "pyodide" }) });
  });
  afterAll(() => sandbox?.close());

  const returned = async (code: string) => {
    const outcome = await sandbox.run({ code, servers: [] }, { callTool: async () => null });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
    return outcome.value;
  };

  test("is not what programs import, and names nothing that has rights", async () => {
    const names = "Deno process fetch Worker require WebSocket XMLHttpRequest navigator window";
    const code = `${ESCAPED}
import js
from pyodide.code import run_js
try: run_js("1")
except ImportError: types = [Function("return typeof " + name)() for name in "${names}".split()]
return [list(js.object_keys()), sorted(set(types))]`;
    expect(await returned(code)).toEqual([[], ["undefined"]]);
  });

  test("reads no file, starts nothing, and reaches no network", async () => {
    let reached = 0;
    const server = createServer(() => reached++).on("connection", () => reached++);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const ways = REACHES((server.address() as AddressInfo).port);
    const told = await returned(`${ESCAPED}
return [await settled(way) for way in ${JSON.stringify(ways)}]`);
    await new Promise((resolve) => server.close(resolve));
    for (const [at, way] of ways.entries())
      expect([way, Object(told)[at]]).toEqual([way, expect.stringMatching(/^refused /)]);
    expect(reached).toBe(0);
  });

  test.each([
    ["", true],
    ["Object.prototype.below = { name: '..', path: 'secret.txt', text: '' }", true],
    ["Object.prototype.name = '..'; Object.prototype.isHost = true", false],
    ["String.prototype.startsWith = () => true; String.prototype.includes = () => false", false],
    ["Reflect.apply = () => true; String.prototype.slice = function () { return String(this) }", false],
  ])("opens nothing beside the folders by nodes of its own making: %j", async (patch, isWorking) => {
    const dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-test-")));
    await mkdir(join(dir, "workspace"));
    await writeFile(join(dir, "workspace", "own.txt"), "own");
    await writeFile(join(dir, "secret.txt"), "the-secret-of-the-host");
    const code = `${ESCAPED}
Function(${JSON.stringify(patch)})()
got = [open("workspace/own.txt").read()]
node = pyodide_js.FS.lookupPath("/workspace/own.txt").node
for name in ["../secret.txt", "../../secret.txt", "/../secret.txt", ".."]:
    node.name = name
    try: got.append(pyodide_js.FS.open(node, 0))
    except BaseException as error: got.append("refused")
    try: got.append(open("workspace/" + name).read())
    except BaseException as error: got.append("refused")
return got[:1] + [one for one in got[1:] if one != "refused"]`;
    const folder = { name: "workspace", dir: join(dir, "workspace"), access: "write" } as const;
    const outcome = await sandbox.run(
      { code, servers: [], modules: ["fs"] },
      { callTool: async () => null },
      { folders: [folder], limits: { wallMs: 5_000, sleepMs: 5_000 } },
    );
    await rm(dir, { recursive: true });
    expect(JSON.stringify(outcome)).not.toContain("the-secret");
    if (isWorking) expect(outcome).toMatchObject({ ok: true, value: ["own"] });
  });

  test("tells nothing of where Keyhole and its packages lie", async () => {
    const code = `${ESCAPED}
stack = Function("try { null.x } catch (error) { return error.stack }")()
return [stack, await settled("import('./x.js')")]`;
    expect(JSON.stringify(await returned(code))).not.toContain(process.cwd());
  });
});
