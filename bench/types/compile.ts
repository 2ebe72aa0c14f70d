import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { JsonSchema, ServerRecord, ToolRecord } from "../../src/catalog/tool.ts";
import { PRINTERS } from "../../src/codegen/printers.ts";
import { toTree } from "../../src/codegen/tree.ts";

export type Checked = {
  readonly tool: string;
  readonly schema: JsonSchema;
  readonly values: readonly unknown[];
};

/** How many values TypeScript itself, in strict mode, takes as what the generated wrapper says the tool returns. */
export async function countCompiling(checked: readonly Checked[]): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  try {
    const tools = checked.map(({ schema }, index) => toTool(`t${index}`, schema));
    const server: ServerRecord = {
      name: "observed",
      identifiers: { typescript: "observed", python: "observed" },
      folder: "observed",
      tools,
    };
    const uses = checked.map(({ values }, index): [string, string] => {
      const lines = values.map(
        (value, at) => `export const v${at}: T${index}Response = ${JSON.stringify(value)};`,
      );
      const head = `import type { T${index}Response } from "./observed/t${index}.js";`;
      return [`use${index}.ts`, [head, ...lines].join("\n")];
    });
    await mkdir(join(dir, "observed"));
    for (const [path, text] of [...toTree([server], PRINTERS.typescript).files, ...uses])
      await writeFile(join(dir, path), text);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: "esnext",
      moduleResolution: "bundler",
      types: [],
    };
    await writeFile(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const wrong = new Set(
      [...(await compile(dir)).matchAll(/^(use\d+\.ts\(\d+),/gm)].map(([, place]) => place),
    );
    return checked.reduce((sum, { values }) => sum + values.length, 0) - wrong.size;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function compile(dir: string): Promise<string> {
  const tsc = resolve("node_modules/.bin/tsc");
  const options = { cwd: dir, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((done) =>
    execFile(tsc, ["-p", dir, "--pretty", "false"], options, (_error, stdout) => done(stdout)),
  );
}

function toTool(name: string, schema: JsonSchema): ToolRecord {
  return {
    server: "observed",
    name,
    identifiers: { typescript: name, python: name },
    description: "",
    inputSchema: { type: "object" },
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    trusted: true,
    hash: "",
    since: "",
    warnings: [],
    observed: { schema, calls: 1 },
  };
}
