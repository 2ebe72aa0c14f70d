import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type Declared, readGlobalNames, readModuleNames } from "../../src/world/declared-names.ts";
import { MODULE_NAMES } from "../../src/world/modules.ts";

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox({ poolSize: 0 });
});
afterAll(() => sandbox.close());

async function run(code: string, modules: readonly string[] = MODULE_NAMES): Promise<unknown> {
  const outcome = await sandbox.run({ code, servers: [], modules }, { callTool: async () => null });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

const GLOBALS = (["kept", "keyhole", "node", "modules"] as const).flatMap((file) => readGlobalNames(file));
/** The program's way to what is prepared for it, and a method of Deno's `EventTarget`: no names to write. */
const INTERNAL = ["__keyhole", "getParent"];
/** Declared with the servers, by their tools. */
const WITH_SERVERS = ["callMCPTool"];

/** Names on values in the guest that are undefined there, as `a.b`. */
const missing = (roots: readonly { readonly path: string; readonly declared: readonly Declared[] }[]) => `
  const missing = [];
  for (const { path, declared } of ${JSON.stringify(roots)}) {
    const owner = path === "" ? globalThis : __keyhole.modules[path];
    for (const { name, members } of declared) {
      if (!(name in Object(owner))) missing.push(path + "." + name);
      else for (const member of members) {
        const holder = typeof owner[name] === "function" && !(member in owner[name]) ? owner[name].prototype : owner[name];
        if (!(member in Object(holder))) missing.push(path + "." + name + "." + member);
      }
    }
  }
  return missing`;

describe("a program's world", () => {
  it("has every global that is declared, and what is declared on it", async () => {
    expect(GLOBALS.length).toBeGreaterThan(60);
    expect(await run(missing([{ path: "", declared: GLOBALS }]))).toEqual([]);
  });

  it("has the globals of programs that use no module", async () => {
    const declared = GLOBALS.filter(({ name }) => name !== "process");
    expect(await run(missing([{ path: "", declared }]), [])).toEqual([]);
  });

  it.each(MODULE_NAMES)("has all that is declared of %s", async (name) => {
    const declared = readModuleNames().get(name)?.values ?? [];
    expect(declared.length).toBeGreaterThan(0);
    expect(await run(missing([{ path: name, declared }]), [name])).toEqual([]);
  });

  it("has no global that is not declared", async () => {
    const code = `
      const names = new Set();
      for (let owner = globalThis; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner))
        for (const name of Object.getOwnPropertyNames(owner)) if (name !== "constructor") names.add(name);
      return [...names]`;
    const declared = [...GLOBALS.map(({ name }) => name), ...MODULE_NAMES, ...INTERNAL, ...WITH_SERVERS];
    const known = new Set([
      ...declared,
      ...Object.getOwnPropertyNames(new Function("return this")()),
      ...NEWER_LANGUAGE,
    ]);
    for (const name of OF_NODE) if (!declared.includes(name)) known.delete(name);
    const found = (await run(code)) as string[];
    expect(found.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(MODULE_NAMES)("has nothing in %s that is not declared", async (name) => {
    const code = `return Object.getOwnPropertyNames(__keyhole.modules[${JSON.stringify(name)}])`;
    const declared = new Set(
      readModuleNames()
        .get(name)
        ?.values.map((value) => value.name),
    );
    const found = (await run(code, [name])) as string[];
    expect(found.filter((key) => !declared.has(key) && !OF_FUNCTIONS.includes(key))).toEqual([]);
  });

  it.each(["console", "process"])("has nothing on %s that is not declared", async (name) => {
    const found = (await run(`return Object.getOwnPropertyNames(${name})`)) as string[];
    const declared =
      name === "process"
        ? readModuleNames()
            .get("process")
            ?.values.map((value) => value.name)
        : GLOBALS.find((value) => value.name === name)?.members;
    expect(found.filter((key) => !declared?.includes(key))).toEqual([]);
  });
});

/** Of the language, newer than the Node that the tests run in. */
const NEWER_LANGUAGE = [
  ...["Float16Array", "Iterator", "Temporal", "SuppressedError", "DisposableStack", "AsyncDisposableStack"],
];
/** Globals of Node's that say nothing about the language: they count only where they are declared. */
const OF_NODE = Object.getOwnPropertyNames(globalThis).filter((name) => !isOfLanguage(name));
const OF_FUNCTIONS = ["length", "name", "prototype"];

function isOfLanguage(name: string): boolean {
  return /^(?:[A-Z]\w*Error|(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array|Array\w*|Shared\w+|Data\w+|Object|Function|Number|Boolean|String|Symbol|Date|Promise|RegExp|JSON|Math|Intl|Atomics|Map|Set|WeakMap|WeakSet|WeakRef|Proxy|Reflect|BigInt|FinalizationRegistry|Infinity|NaN|undefined|globalThis|eval|escape|unescape|is(?:Finite|NaN)|parse(?:Int|Float)|(?:de|en)codeURI\w*|Error)$/.test(
    name,
  );
}
