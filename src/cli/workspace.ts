import { resolve } from "node:path";
import type {
  TakenSnapshot,
  WorkspaceContents,
  WorkspaceSnapshot,
  WorkspaceSummary,
  WorkspacesByName,
} from "../engine/workspaces/workspaces-by-name.ts";
import { withWorkspaces } from "../engine/workspaces/workspaces-of-project.ts";
import { KeyholeError } from "../errors.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandContext, CommandHandler } from "./command.ts";
import { age, count, describeBytes } from "./format.ts";

const SHOWN_FILES = 20;

/** What programs keep: looking at it, keeping copies, putting them back, removing it. No server is started. */
export const workspace: CommandHandler = async (context) => {
  const [action = "list", name = LOCAL_PRINCIPAL, subject, ...more] = context.args;
  const work = WORK.get(action);
  if (work === undefined || more.length > 0) throw wrongUse(context.args);
  const { output, projectDir, options } = context;
  const place = {
    projectDir: resolve(projectDir),
    onNotice: output.notice,
    trust: options["trust"] === true,
  };
  return withWorkspaces(place, (workspaces) => work(context, workspaces, name, subject));
};

type Work = (
  context: CommandContext,
  workspaces: WorkspacesByName,
  name: string,
  subject: string | undefined,
) => Promise<number>;

const list: Work = async ({ output, args }, workspaces) => {
  if (args.length > 1) throw wrongUse(args);
  const found = await workspaces.list();
  if (output.json) output.printJson({ workspaces: found });
  else if (found.length === 0) output.print("No program has kept anything here yet");
  else for (const one of found) output.print(describe(one));
  return 0;
};

const show: Work = async (context, workspaces, name, path) => {
  const { output, options } = context;
  if (path !== undefined) return showFile(context, workspaces, name, path);
  const limit = typeof options["limit"] === "number" ? options["limit"] : undefined;
  const found = await workspaces.show(name, { limit: limit ?? (output.json ? undefined : SHOWN_FILES) });
  if (output.json) output.printJson(found);
  else for (const line of describeContents(found)) output.print(line);
  return 0;
};

async function showFile(
  { output }: CommandContext,
  workspaces: WorkspacesByName,
  name: string,
  path: string,
): Promise<number> {
  const bytes = Buffer.from(await workspaces.read(name, path));
  const text = bytes.toString("utf8");
  const isText = Buffer.from(text).equals(bytes) && !text.includes("\0");
  if (output.json)
    output.printJson({
      name,
      path,
      bytes: bytes.length,
      ...(isText ? { text } : { base64: bytes.toString("base64") }),
    });
  else if (isText) await output.rawPiece(text);
  else
    throw new KeyholeError("usage", `"${toExcerpt(path, 100)}" is no text`, {
      hint: "--json gives it as base64",
    });
  return 0;
}

const snapshot: Work = async ({ output, options }, workspaces, name, subject) => {
  if (subject !== undefined) throw wrongUse(["snapshot", name, subject]);
  const note = typeof options["note"] === "string" ? options["note"] : undefined;
  const taken = await waited(output, name, () => workspaces.snapshot(name, { note }));
  if (output.json) output.printJson({ name, snapshot: taken });
  else for (const line of describeTaken("Kept as", taken)) output.print(line);
  return 0;
};

const restore: Work = async ({ output, options }, workspaces, name, subject) => {
  if (subject === undefined)
    throw new KeyholeError("usage", "keyhole workspace restore needs a workspace and a snapshot", {
      hint: `keyhole workspace show ${name} lists its snapshots`,
    });
  await assertSnapshot(workspaces, name, subject);
  const question = `Make the files of "${toExcerpt(name, 80)}" what they were in ${toExcerpt(subject, 40)}? What they are now is kept as a snapshot`;
  if (!(await isMeant(question, { output, options }))) return refused(output, "restored");
  const { saved } = await waited(output, name, () => workspaces.restore(name, subject));
  if (output.json) output.printJson({ name, restored: subject, saved });
  else {
    output.print(`Restored ${toExcerpt(name, 80)} to ${toExcerpt(subject, 40)}`);
    for (const line of describeTaken("What it was before is", saved)) output.print(line);
  }
  return 0;
};

const remove: Work = async ({ output, options, args }, workspaces, name, subject) => {
  if (args.length < 2)
    throw new KeyholeError("usage", "keyhole workspace remove needs to know which", {
      hint: "keyhole workspace list shows them: keyhole workspace remove NAME [SNAPSHOT]",
    });
  if (subject !== undefined) await assertSnapshot(workspaces, name, subject);
  const what =
    subject === undefined
      ? `"${toExcerpt(name, 80)}": its files, its state and its snapshots`
      : `the snapshot ${toExcerpt(subject, 40)} of "${toExcerpt(name, 80)}"`;
  if (!(await isMeant(`Remove ${what}? It can't be taken back`, { output, options })))
    return refused(output, "removed");
  await waited(output, name, () => workspaces.remove(name, subject));
  if (output.json) output.printJson({ name, removed: subject ?? "all" });
  else output.print(`Removed ${what}`);
  return 0;
};

const WORK: ReadonlyMap<string, Work> = new Map([
  ["list", list],
  ["show", show],
  ["snapshot", snapshot],
  ["restore", restore],
  ["remove", remove],
]);

/** Nobody is asked about what is not there. */
async function assertSnapshot(workspaces: WorkspacesByName, name: string, snapshot: string): Promise<void> {
  const { snapshots } = await workspaces.show(name, { limit: 1 });
  if (snapshots.some(({ id }) => id === snapshot)) return;
  throw new KeyholeError(
    "usage",
    `The workspace "${toExcerpt(name, 80)}" has no snapshot "${toExcerpt(snapshot, 60)}"`,
    { hint: `keyhole workspace show ${toExcerpt(name, 80)} lists them` },
  );
}

async function waited<T>(output: CommandContext["output"], name: string, work: () => Promise<T>): Promise<T> {
  const progress = output.progress(() => `Working on ${toExcerpt(name, 80)}`);
  return work().finally(progress.done);
}

async function isMeant(
  message: string,
  { output, options }: Pick<CommandContext, "output" | "options">,
): Promise<boolean> {
  if (options["yes"] === true) return true;
  if (!output.interactive)
    throw new KeyholeError("usage", "There is no terminal to ask on, so nothing was done", {
      hint: "Add --yes",
    });
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer)) throw new KeyholeError("cancelled", "Nothing was done");
  return answer;
}

function refused(output: CommandContext["output"], what: string): number {
  output.print(`Nothing was ${what}`);
  return 1;
}

function describe({ name, bytes, entries, usedAt, expiresAt, state, snapshots }: WorkspaceSummary): string {
  const facts = [
    ...(bytes === undefined ? [] : [`${describeBytes(bytes)} in ${count(entries ?? 0, "file")}`]),
    ...(state.keys > 0 ? [`state: ${count(state.keys, "key")}`] : []),
    ...(snapshots > 0 ? [count(snapshots, "snapshot")] : []),
    ...(usedAt === undefined ? [] : [`used ${age(usedAt)}`]),
    ...(expiresAt === undefined ? [] : [`expires ${expiresAt.slice(0, 10)}`]),
  ];
  return `${toExcerpt(name, 80).padEnd(20)}  ${facts.length === 0 ? "nothing known of it yet" : facts.join(", ")}`;
}

function describeContents(found: WorkspaceContents): string[] {
  const { name, dir, bytes = 0, entries = 0, quota, usedAt, expiresAt, state, snapshots, files } = found;
  const facts: [string, string][] = [
    ["folder", dir],
    ["size", `${describeBytes(bytes)} of ${describeBytes(quota.bytes)}`],
    ["files", `${entries} of ${quota.entries}, folders among them`],
    ["state", `${count(state.keys, "key")}, ${describeBytes(state.bytes)}`],
    ...(usedAt === undefined ? [] : [["used", usedAt] as [string, string]]),
    ...(expiresAt === undefined ? [] : [["expires", expiresAt] as [string, string]]),
  ];
  return [
    toExcerpt(name, 80),
    ...facts.map(([fact, value]) => `  ${fact.padEnd(10)}${toExcerpt(value, 300)}`),
    ...(snapshots.length > 0
      ? ["  snapshots", ...snapshots.map((one) => `    ${describeSnapshot(one)}`)]
      : []),
    ...(files.length > 0 ? ["  contents"] : []),
    ...files.map(
      ({ path, bytes: size }) => `    ${describeBytes(size).padStart(8)}  ${toExcerpt(path, 200)}`,
    ),
    ...(found.isCut ? ["    …"] : []),
  ];
}

function describeSnapshot({ id, at, bytes, note }: WorkspaceSnapshot): string {
  return `${id}  ${at}  ${describeBytes(bytes).padStart(8)}${note === undefined ? "" : `  ${toExcerpt(note, 200)}`}`;
}

function describeTaken(how: string, taken: TakenSnapshot): string[] {
  const gone = taken.removed.map((one) => toExcerpt(one, 40)).join(", ");
  return [`${how} ${describeSnapshot(taken)}`, ...(gone === "" ? [] : [`Removed to make room: ${gone}`])];
}

function wrongUse(args: readonly string[]): KeyholeError {
  return new KeyholeError("usage", `keyhole workspace can't "${toExcerpt(args.join(" "), 60)}"`, {
    hint: "Write keyhole workspace list, show [NAME [FILE]], snapshot [NAME], restore NAME SNAPSHOT, or remove NAME [SNAPSHOT]",
  });
}
