import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { FoundConfig } from "../../../config/clients.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../config/files/json-value.ts";
import type { KeyPath } from "../../../config/files/key-path.ts";
import { isKeyhole } from "../../../config/is-keyhole.ts";
import type { Places } from "../../../config/places.ts";
import type { ClientId } from "../../../config/server-definition.ts";
import { KeyholeError } from "../../../errors.ts";
import type { DiffLine } from "../../../text/line-diff.ts";
import { createDraft, type Draft, isOverlay, toEntry } from "../config-file.ts";
import { editServers, formatOf, namesAt, readEntry, type WrittenEntry } from "../edit/edit-servers.ts";
import type { ExistingConfig } from "../existing-config.ts";
import type { Candidate, Findings } from "../find.ts";
import { serversKey, toCommand, toKeyholeEntry, variablesOf } from "../keyhole-entry.ts";
import { clientFile } from "../paste.ts";
import { CLIENT_NAMES } from "../print.ts";
import { toShownDiff } from "./shown-diff.ts";
import { BYTE_ORDER_MARK, readTextFile, type TextFile } from "./text-file.ts";

/** What changes in the servers under one path of a file. */
export type Block = { path: KeyPath; removed: [string, WrittenEntry][]; added: [string, WrittenEntry][] };

export type FileChange = {
  role: "client" | "config";
  client?: ClientId;
  before: TextFile;
  after: string;
  madeFolder: boolean;
  mode: number;
  blocks: Block[];
  diff: DiffLine[];
};

export type Takeover = {
  config: FileChange | undefined;
  draft: Draft;
  clients: FileChange[];
  notices: string[];
};

export type TakeoverRequest = {
  chosen: readonly Candidate[];
  /** Who gets Keyhole also where no servers are taken: then into the file for the project. */
  asked: readonly ClientId[];
  /** From whose files servers may be taken. */
  from: readonly ClientId[];
  force: boolean;
  format?: "json" | "yaml";
  existing: ExistingConfig | undefined;
  findings: Findings;
  places: Places;
};

/** Everything that would be written, with nothing written yet. */
export async function planTakeover(request: TakeoverRequest): Promise<Takeover> {
  const { existing, findings, places, force } = request;
  const notices: string[] = [];
  const files = await readFiles(request);
  const moving = request.chosen.filter((candidate) => {
    const why =
      whyStays(candidate, existing, force) ?? whySignsIn(candidate, candidate.place, files, findings);
    if (why !== undefined) notices.push(`${candidate.name} stays in ${candidate.place.file}: ${why}`);
    return why === undefined;
  });
  const draft = await createDraft(places.projectDir, moving, {
    ...(request.format === undefined ? {} : { format: request.format }),
    replace: force,
    complete: true,
    existing,
  });
  const variables = variablesOf(Object.values(draft.servers));
  const clients: FileChange[] = [];
  const isTaken = (client: ClientId) =>
    moving.some(({ place, others }) => [place, ...others].some((at) => at.client === client));
  const asked = request.asked.filter((client) => !isTaken(client));
  for (const [file, before] of files) {
    const targets = targetsIn(file, { ...request, asked });
    const change = toClientChange(before, targets, request, moving, variables, notices);
    if (change !== undefined)
      clients.push({ ...change, madeFolder: !(await isThere(dirname(before.target))) });
  }
  const desktop = clients.find(({ client }) => client === "claude-desktop");
  if (desktop !== undefined && variables.length > 0)
    notices.push(
      `Claude Desktop hands on no variables of its own: write ${variables.join(", ")} under "env" of keyhole in ${desktop.before.file}`,
    );
  return { config: await toConfigChange(draft, existing), draft, clients, notices };
}

/** A place in a client's file where servers stand, or would. */
type Target = Pick<FoundConfig, "client" | "scope" | "file" | "path" | "inputs"> & { isAsked: boolean };

function targetsIn(file: string, { findings, asked, places }: TakeoverRequest): Target[] {
  const found = findings.configs.filter((config) => config.file === file && config.error === undefined);
  const targets: Target[] = found.map((config) => ({ ...config, isAsked: false }));
  for (const client of asked) {
    if (clientFile(client, places) !== file) continue;
    const known = targets.find((target) => target.client === client);
    if (known) known.isAsked = true;
    else targets.push({ client, scope: "project", file, path: [serversKey(client)], isAsked: true });
  }
  return targets;
}

async function readFiles({ findings, asked, from, places }: TakeoverRequest): Promise<Map<string, TextFile>> {
  const wanted = [
    ...findings.configs.filter(({ client }) => from.includes(client) || asked.includes(client)),
    ...asked.map((client) => ({ file: clientFile(client, places), error: undefined })),
  ];
  const files = new Map<string, TextFile>();
  for (const { file, error } of wanted) {
    if (error !== undefined && asked.some((client) => clientFile(client, places) === file)) throw error;
    if (error === undefined && !files.has(file)) files.set(file, await readTextFile(file));
  }
  return files;
}

function toClientChange(
  before: TextFile,
  targets: readonly Target[],
  { from, findings, places }: TakeoverRequest,
  moving: readonly Candidate[],
  variables: readonly string[],
  notices: string[],
): Omit<FileChange, "madeFolder"> | undefined {
  const format = formatOf(before.file);
  const mark = before.content?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const start = before.content?.slice(mark.length) ?? (format === "json" ? "{}\n" : "");
  let text = start;
  const blocks: Block[] = [];
  const diff: DiffLine[] = [];
  for (const target of targets) {
    const names = from.includes(target.client)
      ? moving.flatMap((candidate) => takenFrom(candidate, target, before, findings, notices))
      : [];
    const removed = names.flatMap((name): [string, WrittenEntry][] => {
      const entry = readEntry(text, format, target.path, name);
      return entry === undefined ? [] : [[name, entry]];
    });
    const isIn = hasKeyhole(text, target, places);
    if (removed.length === 0 && (isIn || !target.isAsked)) continue;
    const needs = { variables, inputs: target.inputs ?? [] };
    const value = toKeyholeEntry(target.client, toCommand(places), needs);
    const name = freeName(namesAt(text, format, target.path).filter((name) => !names.includes(name)));
    const added: [string, WrittenEntry][] = isIn ? [] : [[name, { value }]];
    const edited = editServers(text, format, {
      path: target.path,
      remove: removed.map(([name]) => name),
      add: new Map(added),
    });
    if (edited === undefined) throw cannotEdit(target);
    diff.push(...toShownDiff(before.content === undefined ? "" : text, edited, format, target.path));
    text = edited;
    blocks.push({ path: target.path, removed, added });
  }
  const [first] = targets;
  if (blocks.length === 0 || first === undefined) return undefined;
  const { mode } = before;
  return { role: "client", client: first.client, before, after: mark + text, mode, blocks, diff };
}

/** The server goes from each place that defines it as Keyhole has it now. */
function takenFrom(
  candidate: Candidate,
  target: Target,
  file: TextFile,
  findings: Findings,
  notices: string[],
): string[] {
  const isHere = (place: { client: ClientId; scope: string; file: string }) =>
    place.client === target.client && place.scope === target.scope && place.file === target.file;
  if (isHere(candidate.place)) return [candidate.name];
  const other = candidate.others.find(isHere);
  if (other === undefined) return [];
  const why = other.differs
    ? `it is defined otherwise than in ${candidate.place.file}`
    : whySignsIn(candidate, other, new Map([[file.file, file]]), findings);
  if (why !== undefined) notices.push(`${candidate.name} stays in ${target.file}: ${why}`);
  return why === undefined ? [candidate.name] : [];
}

/** Why a server is not taken over: Keyhole has something else under that name. */
function whyStays(
  { name, server }: Candidate,
  existing: ExistingConfig | undefined,
  force: boolean,
): string | undefined {
  const known =
    existing !== undefined && Object.hasOwn(existing.servers, name) ? existing.servers[name] : undefined;
  if (!isJsonObject(known) || force) return undefined;
  if ("from" in known) return `${existing?.file} refers to it there`;
  if (known["enabled"] === false && server.settings.enabled) return `${existing?.file} has it switched off`;
  if (isOverlay(known)) return "bearerToken" in known ? `${existing?.file} lays a token over it` : undefined;
  const mine = connectionOf(JSON.parse(JSON.stringify(toEntry(server))));
  if (isDeepStrictEqual(connectionOf(JSON.parse(JSON.stringify(known))), mine)) return undefined;
  return `${existing?.file} has another server of that name; --force replaces it`;
}

const CONNECTION_KEYS = ["type", "command", "args", "env", "envFile", "inheritEnv", "cwd", "url", "headers"];

function connectionOf(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => CONNECTION_KEYS.includes(key)));
}

/** What a client does to sign in, and Keyhole can't yet: behind Keyhole the server would be out of reach. */
const SIGN_IN_KEYS = ["oauth", "auth", "headersHelper", "authProviderType", "scopes"];

function whySignsIn(
  { name }: Candidate,
  place: { client: ClientId; scope: string; file: string },
  files: ReadonlyMap<string, TextFile>,
  { configs }: Findings,
): string | undefined {
  const content = files.get(place.file)?.content;
  const config = configs.find(
    ({ client, scope, file }) => client === place.client && scope === place.scope && file === place.file,
  );
  if (content === undefined || config === undefined) return undefined;
  const text = content.startsWith(BYTE_ORDER_MARK) ? content.slice(1) : content;
  const value = readEntry(text, formatOf(place.file), config.path, name)?.value;
  const key = SIGN_IN_KEYS.find((key) => value !== undefined && Object.hasOwn(value, key));
  return key === undefined ? undefined : `Keyhole cannot sign in by "${key}" yet`;
}

/** Whether Keyhole stands there already for this project. */
function hasKeyhole(text: string, { file, path, scope }: Target, { projectDir }: Places): boolean {
  const format = formatOf(file);
  return namesAt(text, format, path).some((name) => {
    const value = readEntry(text, format, path, name)?.value;
    if (value === undefined || !startsKeyhole(value)) return false;
    const args = textsOf(value["args"]);
    const at = args.indexOf("--project");
    return at === -1 ? scope !== "user" : resolve(args[at + 1] ?? "") === projectDir;
  });
}

export function startsKeyhole({ command, args }: JsonObject): boolean {
  if (typeof command !== "string") return false;
  return isKeyhole({ type: "stdio", command, args: textsOf(args), env: {}, inheritEnv: [] });
}

function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function freeName(taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? "keyhole" : `keyhole-${number}`;
    if (!taken.includes(name)) return name;
  }
}

async function toConfigChange(
  draft: Draft,
  existing: ExistingConfig | undefined,
): Promise<FileChange | undefined> {
  if (draft.put.length === 0) return undefined;
  if (existing !== undefined && existing.file !== draft.file) {
    throw new KeyholeError("usage", `"${existing.file}" is there already, in another format`, {
      hint: "Leave --format out",
    });
  }
  const before = await readTextFile(draft.file);
  const mark = before.content?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const names = draft.put.map(({ name }) => name);
  const toEntries = (servers: Record<string, unknown>) =>
    names.flatMap((name): [string, WrittenEntry][] =>
      Object.hasOwn(servers, name) ? [[name, { value: JSON.parse(JSON.stringify(servers[name])) }]] : [],
    );
  const removed = toEntries(existing?.servers ?? {});
  return {
    role: "config",
    before,
    after: mark + draft.text,
    madeFolder: false,
    mode: draft.isPrivate ? 0o600 : before.mode,
    blocks: [{ path: ["servers"], removed, added: toEntries(draft.servers) }],
    diff: [],
  };
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function cannotEdit({ client, file }: Target): KeyholeError {
  return new KeyholeError(
    "file_conflict",
    `Cannot change "${file}" without touching more of it than the servers`,
    { hint: `Run without --write for what to put into it by hand, or leave ${CLIENT_NAMES[client]} out` },
  );
}
