import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { compile } from "json-schema-to-typescript";
import type { ServerRecord } from "../src/catalog/tool.ts";
import { writeTree } from "../src/codegen/disk/write-tree.ts";
import { PRINTERS } from "../src/codegen/printers.ts";
import { type GeneratedTree, toTree } from "../src/codegen/tree.ts";
import { type CheckError, checkPython, checkTypeScript } from "../test/fixtures/codegen/checkers.ts";
import { loadEvalServers } from "./eval-tools.ts";
import { runSchemaSuite } from "./schema-suite.ts";
import type { BenchOptions, BenchReport, BenchSuite, BenchTable } from "./suite.ts";

const TARGET_SECONDS = 0.6;
const WARM_RUNS = 5;

export const codegenSuite: BenchSuite = {
  name: "codegen",
  about: "typed wrappers for every tool of the evaluation data: time, compile errors, soundness of types",
  run,
};

async function run(options: BenchOptions): Promise<BenchReport> {
  const { servers, definitions } = await loadEvalServers(options.dataDir);
  const tools = servers.flatMap((server) => server.tools);
  const counted = `${definitions} definitions of ${servers.length} servers, ${tools.length} tools by name`;
  options.progress(counted);
  const typescript = measure(servers, "typescript");
  const python = measure(servers, "python");
  options.progress("json-schema-to-typescript, with and without its formatter");
  const formatted = await measureOther(servers, true);
  const bare = await measureOther(servers, false);
  const compiled = await checkTrees(typescript.tree, python.tree, options);
  options.progress("JSON-Schema-Test-Suite");
  const suite = await runSchemaSuite(options);
  const time: BenchTable = {
    title: `Time to emit ${tools.length} tools (seconds)`,
    columns: ["emitter", "cold", "warm median", "failures"],
    rows: [
      ["keyhole, TypeScript", typescript.cold, typescript.warm, 0],
      ["keyhole, Python", python.cold, python.warm, 0],
      ["json-schema-to-typescript, input schemas", formatted.seconds, "-", formatted.failures],
      ["the same, its formatter off", "-", bare.seconds, bare.failures],
    ],
  };
  const misses = [...compiled.misses, ...suite.misses];
  for (const [name, result] of Object.entries({ typescript, python })) {
    if (result.cold > TARGET_SECONDS)
      misses.push(`${name}: ${result.cold} s cold, target ${TARGET_SECONDS} s`);
  }
  const notes = [counted, ...compiled.notes, ...suite.notes];
  return {
    tables: [time, compiled.writing, compiled.table, warningTable(typescript.tree), ...suite.tables],
    notes,
    misses,
  };
}

function measure(servers: readonly ServerRecord[], language: keyof typeof PRINTERS) {
  const times: number[] = [];
  let tree: GeneratedTree = { files: new Map(), warnings: [] };
  for (let index = 0; index <= WARM_RUNS; index++) {
    const start = performance.now();
    tree = toTree(servers, PRINTERS[language]);
    times.push(performance.now() - start);
  }
  const [cold = 0, ...warm] = times;
  const median = warm.sort((a, b) => a - b)[Math.floor(warm.length / 2)] ?? 0;
  return { tree, cold: toSeconds(cold), warm: toSeconds(median) };
}

async function measureOther(servers: readonly ServerRecord[], format: boolean) {
  let failures = 0;
  const start = performance.now();
  for (const tool of servers.flatMap((server) => server.tools)) {
    if (typeof tool.inputSchema === "boolean") continue;
    // It changes what it is given, and would fetch references if it were let.
    const schema = structuredClone(tool.inputSchema);
    try {
      await compile(schema, "Input", {
        format,
        bannerComment: "",
        $refOptions: { resolve: { external: false } },
      });
    } catch {
      failures++;
    }
  }
  return { seconds: toSeconds(performance.now() - start), failures };
}

async function checkTrees(typescript: GeneratedTree, python: GeneratedTree, options: BenchOptions) {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  const rows: (readonly (string | number)[])[] = [];
  const writes: (readonly (string | number)[])[] = [];
  const misses: string[] = [];
  const notes: string[] = [];
  const write = async (folder: string, tree: GeneratedTree, language: keyof typeof PRINTERS) => {
    for (const name of ["first", "again, nothing changed"]) {
      const start = performance.now();
      const { written } = await writeTree(join(dir, folder), tree.files, language);
      writes.push([`${language}, ${name}`, written.length, toSeconds(performance.now() - start)]);
    }
  };
  const record = (name: string, files: number, start: number, errors: readonly CheckError[]) => {
    const seconds = toSeconds(performance.now() - start);
    rows.push([name, files, new Set(errors.map((error) => error.file)).size, errors.length, seconds]);
    if (errors.length > 0) misses.push(`${name}: ${errors.length} errors`);
    for (const error of errors.slice(0, 5))
      notes.push(`${name}: ${error.file}:${error.line} ${error.message}`);
  };
  try {
    await write("ts", typescript, "typescript");
    for (const module of ["bundler", "nodenext"] as const) {
      options.progress(`tsc, module ${module}`);
      const start = performance.now();
      record(
        `tsc --strict, ${module}`,
        typescript.files.size,
        start,
        await checkTypeScript(join(dir, "ts"), module),
      );
    }
    options.progress("pyright");
    await write("py/servers", python, "python");
    const start = performance.now();
    const { files, errors } = await checkPython(join(dir, "py"));
    record("pyright, default rules", files, start, errors);
    if (files !== python.files.size) misses.push(`pyright read ${files} of ${python.files.size} files`);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  const columns = ["checker", "files", "files with errors", "errors", "seconds"];
  const writing: BenchTable = {
    title: "Write to disk",
    columns: ["tree", "files written", "seconds"],
    rows: writes,
  };
  return { table: { title: "Compile", columns, rows }, writing, misses, notes };
}

function warningTable(tree: GeneratedTree): BenchTable {
  const kinds = new Map<string, Set<string>>();
  for (const { server, tool, message } of tree.warnings) {
    const kind = message.replace(/^.*?: (?=\S)/, "").replace(/"[^"]*"/g, '"…"');
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(`${server}/${tool}`));
  }
  const rows = [...kinds].sort((a, b) => b[1].size - a[1].size).map(([kind, tools]) => [kind, tools.size]);
  return { title: `Warnings (${tree.warnings.length})`, columns: ["kind", "tools"], rows };
}

function toSeconds(ms: number): number {
  return Math.round(ms) / 1000;
}
