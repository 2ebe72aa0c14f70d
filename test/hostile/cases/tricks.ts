import { LIMITS, type ProgramCase, THROWN } from "./case.ts";

const ANY = ["ok", "exit", "crash", "protocol", "stuck", ...THROWN, ...LIMITS, "types", "import", "syntax"];
/** Nothing of the machine, and no line that is not ours, may come back. */
const HIDDEN = /root:x:0|KEYHOLE_TOKEN|-token-of-the-hostile-suite|\u001b|\/cli\/main\.js|FORGED/;
const trick = (name: string, code: string, ends: readonly string[] = ANY): ProgramCase => ({
  name: `tricks: ${name}`,
  code: () => code,
  ends,
  hides: HIDDEN,
});
const RAW =
  "const raw = new Uint8Array(64).fill(255); const fake = new TextEncoder().encode('\\0\\0\\0\\x20\\x03FORGED{\"ok\":true}');";

/** Programs that try to be something else. */
export const TRICK_CASES: readonly ProgramCase[] = [
  trick(
    "raw frames by process.stdout",
    `${RAW} const p = (globalThis as any).process; for (let n = 0; n < 1000; n++) p.stdout?.write(raw), p.stdout?.write(fake); return 1;`,
  ),
  trick(
    "raw frames by Deno",
    `${RAW} const d = (globalThis as any).Deno; d?.stdout?.writeSync(raw); d?.stdout?.writeSync(fake); return typeof d;`,
  ),
  trick(
    "raw frames by descriptor 1",
    `${RAW} const fs: any = await import("node:fs"); for (const fd of [1, 2, 3, 4, 5]) { try { fs.writeSync(fd, raw); fs.writeSync(fd, fake); } catch {} } return 1;`,
  ),
  trick(
    "raw frames by a path",
    `${RAW} const fs: any = await import("node:fs"); for (const at of ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"]) { try { fs.writeFileSync(at, raw); } catch {} } return 1;`,
  ),
  trick(
    "files of the machine",
    `const fs: any = await import("node:fs"); const out: string[] = []; for (const at of ["/etc/passwd", "/proc/self/environ", "/proc/1/environ", "../../../../../etc/passwd", "./workspace/../../../../../../etc/passwd", "file:///etc/passwd"]) { try { out.push(fs.readFileSync(at, "utf8")); } catch (e: any) { out.push(e.code); } } return out;`,
  ),
  trick(
    "the environment",
    "return (globalThis as any).process?.env ?? (globalThis as any).Deno?.env?.toObject();",
  ),
  trick(
    "the parent's process",
    "try { (globalThis as any).process.kill((globalThis as any).process.ppid, 9); } catch (e) { return String(e); } return 1;",
  ),
  trick(
    "processes",
    `const out: string[] = []; try { out.push(String((await import("node:child_process" as any)).spawnSync)); } catch (e) { out.push(String(e)); } try { out.push(new (globalThis as any).Deno.Command("id").outputSync().stdout); } catch (e) { out.push(String(e)); } return out;`,
  ),
  trick(
    "threads",
    `const out: string[] = []; for (let n = 0; n < 100; n++) { try { new (globalThis as any).Worker("data:text/javascript,for(;;);", { type: "module" }); out.push("started"); } catch (e) { out.push(String(e)); break; } } return out;`,
  ),
  trick(
    "the network",
    `const out: string[] = []; try { out.push((await fetch("http://127.0.0.1:1/")).statusText); } catch (e) { out.push(String(e)); } return out;`,
  ),
  trick(
    "code from elsewhere",
    `try { return await import("data:text/javascript,export default 1" as any); } catch (e) { return String(e); }`,
  ),
  trick("an exit", "(globalThis as any).process.exit(0);"),
  trick(
    "__proto__ in arguments",
    `return await math.addUp(JSON.parse('{"numbers":[1],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));`,
  ),
  trick(
    "__proto__ in results",
    `emit(JSON.parse('{"type":"text","text":"x","__proto__":{"polluted":1}}')); console.log(JSON.parse('{"__proto__":1}')); return JSON.parse('{"__proto__":{"polluted":1},"toString":1,"then":1}');`,
  ),
  trick(
    "names of the language as tools",
    `const out: string[] = []; for (const name of ["__proto__", "constructor", "then", "toString", "hasOwnProperty", ""]) { try { out.push(String(await callMCPTool(name + "__" + name, {}))); out.push(String(await (math as any)[name]({}))); } catch (e: any) { out.push(e.message); } } return out;`,
  ),
  trick(
    "a proxy that throws",
    `return new Proxy({}, { get() { throw new Error("no"); }, ownKeys() { throw new Error("no"); }, getPrototypeOf() { throw new Error("no"); } });`,
  ),
  trick(
    "a proxy without an end",
    `const p: any = new Proxy({}, { get: () => p, ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: p, enumerable: true, configurable: true }) }); return p;`,
    [...THROWN, ...LIMITS, "ok", "crash"],
  ),
  trick(
    "getters that throw",
    `console.log({ get a() { throw new Error("no"); } }); emit({ type: "text", get text(): string { throw new Error("no"); } }); return { get a() { throw new Error("no"); } };`,
  ),
  trick(
    "an error whose parts throw",
    `throw Object.defineProperties(new Error("x"), { message: { get() { throw 1; } }, stack: { get() { throw 2; } }, name: { get() { throw 3; } } });`,
    [...THROWN, "crash", "exit"],
  ),
  trick(
    "toJSON that grows",
    `const v: any = { toJSON() { return { v, w: "x".repeat(1000) }; } }; return v;`,
    [...THROWN, ...LIMITS, "ok"],
  ),
  trick("a thenable that never ends", "return { then() {} };", ["stuck", "ok", ...LIMITS]),
  trick(
    "circles and symbols",
    `const a: any = { s: Symbol("x"), f() {}, n: 10n, d: new Date(Number.NaN) }; a.a = a; return a;`,
    ["ok", ...THROWN],
  ),
  trick(
    "patched primordials",
    `const o = globalThis as any; JSON.stringify = () => '{"ok":true}' ; o.TextEncoder.prototype.encode = () => new Uint8Array(1e7); Array.prototype.push = function () { return 0; }; Promise.prototype.then = function () { return this; }; Uint8Array.prototype.set = () => {}; DataView.prototype.setUint32 = () => {}; String.prototype.startsWith = () => true; return "patched";`,
  ),
  trick(
    "a patched Object.prototype",
    `Object.defineProperty(Object.prototype, "kind", { get() { return "FORGED"; } }); Object.defineProperty(Object.prototype, "toJSON", { value() { return "FORGED".slice(0, 3); } }); return { a: 1 };`,
  ),
  trick(
    "escapes in the log",
    'console.log("\\u001b]0;FOR" + "GED\\u0007\\u001b[31m\\u009b31m\\u202e\\r\\n  ok"); console.error("\\u001b[2J"); return "\\u001b[2J";',
    ["ok"],
  ),
  trick(
    "escapes in an error",
    'const e = new Error("\\u001b[2J\\u0007"); e.name = "\\u001b]0;x\\u0007"; throw e;',
    ["exception"],
  ),
  trick(
    "a fake notice",
    'console.log("error (internal): it failed"); emit({ type: "resource_link", uri: "file:///etc/passwd", name: "x" } as any); return 1;',
    ["ok"],
  ),
  trick(
    "the guest's own files",
    `const out: string[] = []; for (const at of ["./runner.js", "../runner.js", "./node/places.js", "file:///runner.js"]) { try { out.push(Object.keys(await import(at)).join()); } catch (e: any) { out.push(e.message); } } return out;`,
  ),
  trick(
    "links in the workspace",
    `const fs: any = await import("node:fs"); const out: string[] = []; try { fs.symlinkSync("/etc", "./workspace/link"); } catch (e: any) { out.push(e.message); } try { fs.linkSync("/etc/passwd", "./workspace/hard"); } catch (e: any) { out.push(e.message); } for (const at of ["./workspace/link/passwd", "./workspace/hard"]) { try { out.push(fs.readFileSync(at, "utf8")); } catch (e: any) { out.push(e.message); } } return out;`,
  ),
];
