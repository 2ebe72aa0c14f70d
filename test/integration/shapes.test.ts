import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { RunResult } from "../../src/engine/engine.ts";
import { openProject } from "../../src/engine/project.ts";
import { inSession } from "../fixtures/in-session.ts";
import { fixture } from "../fixtures/project.ts";
import { loadShapes, type Shape } from "../fixtures/shapes.ts";

let world: Awaited<ReturnType<typeof openWorld>>;

/** One engine for all programs. (What `onCleanup` of the fixtures knows of ends with the first test.) */
async function openWorld() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "keyhole-shapes-")));
  const [dir, homeDir, notes] = [join(root, "project"), join(root, "home"), join(root, "notes.jsonl")];
  await mkdir(dir);
  await mkdir(homeDir);
  const mcpServers = { "task-store": fixture("shapes", notes) };
  await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers }));
  const project = await openProject({ dir, homeDir, trust: true });
  await project.catalog.read();
  const engine = inSession(createEngine(project));
  const close = async () => {
    await engine.close();
    await project.close();
    await rm(root, { recursive: true, force: true });
  };
  return { engine, dir, notes, close };
}

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

for (const { file, shapes } of loadShapes())
  describe(file.replace(/^\d+-|\.txt$/g, "").replaceAll("-", " "), () => {
    for (const shape of shapes)
      it(shape.title, async () => {
        rmSync(world.notes, { force: true });
        const run = await world.engine.run({ code: shape.code });
        const { seen, expected } = compare(shape, run);
        expect(seen, `\n${shape.code}\n--- was answered:\n${run.text}\n---\n`).toEqual(expected);
      });
  });

/** The same keys on both sides, so that a failure shows only what is not as expected. */
function compare(shape: Shape, run: RunResult) {
  const seen: Record<string, unknown> = { ok: run.ok };
  const expected: Record<string, unknown> = { ok: shape.errors.length === 0 };
  const also = (key: string, is: unknown, must: unknown) => {
    seen[key] = is;
    expected[key] = must;
  };
  const logs = run.logs.map(({ text }) => text).join("\n");
  const answer = run.ok ? "" : `${run.error?.kind}\n${JSON.stringify(run.error)}\n${run.text}`;
  if ("result" in shape) also("result", run.result, shape.result);
  if (shape.nothing) also("result", run.result, undefined);
  also("logs without", missing(shape.logs, logs), []);
  also("error without", missing(shape.errors, answer), []);
  if (shape.notes) {
    const notes = readNotes();
    also("notes", shape.notes.isSorted ? notes.sort() : notes, shape.notes.texts);
  }
  for (const { path, content } of shape.files) also(path, readWorkspace(path), content);
  if (shape.emitted !== undefined) also("emitted", run.emitted.length, shape.emitted);
  if (shape.noCalls) also("calls", run.calls, []);
  return { seen, expected };
}

/** `line 3` is said by words, by `3:14`, or by the error's own field. */
function missing(parts: string[], text: string): string[] {
  return parts.filter((part) => {
    const [, line] = /^line ([\d|]+)$/.exec(part) ?? [];
    return line === undefined
      ? !text.includes(part)
      : !new RegExp(`(\\bline |"line":)(${line})\\b|\\b(${line}):\\d`).test(text);
  });
}

function readNotes(): string[] {
  if (!existsSync(world.notes)) return [];
  return readFileSync(world.notes, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function readWorkspace(path: string): string | undefined {
  const whole = join(world.dir, "workspace", path);
  return existsSync(whole) ? readFileSync(whole, "utf8") : undefined;
}
