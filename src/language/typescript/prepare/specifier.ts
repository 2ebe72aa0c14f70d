import { findTool, type Meaning, nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord, ToolRecord } from "../../../catalog/tool.ts";
import { couldMean, didYouMean } from "../../../text/did-you-mean.ts";
import { insteadOfModule } from "../../../world/absent.ts";
import { MODULE_NAMES, toModuleName } from "../../../world/modules.ts";

/** What an `import` names. */
export type Target =
  | { readonly kind: "server"; readonly server: ServerRecord }
  | { readonly kind: "tool"; readonly server: ServerRecord; readonly tool: ToolRecord }
  /** `./servers` itself: the servers by name. */
  | { readonly kind: "servers" }
  /** `servers/_keyhole`, which the generated files import. */
  | { readonly kind: "runtime" }
  /** One of Node's, by its name in ../world/modules.ts. */
  | { readonly kind: "module"; readonly name: string }
  /** By the name that the program has for it. */
  | { readonly kind: "skill"; readonly name: string }
  | {
      readonly kind: "unknown";
      readonly message: string;
      readonly hint: string;
      /** The server that is not there, where that is what is wrong. */
      readonly server?: string;
    };

const IMPORTABLE =
  'A program can import "./servers/<server>" and modules of Node as "node:fs/promises"; packages are not there';

/** `./servers/github`, `../servers/github/createIssue.ts`, `servers/github`. */
const OWN_FOLDER = /^(?:\.{0,2}\/)*(servers|skills)(?:\/(.*))?$/s;

/** The tree where `keyhole generate` wrote it, as a program in the project sees it: `../lib/servers/github/index.js`. */
const WRITTEN_TREE = /^\.{0,2}\/(?:.*\/)?(servers|mcp-api)\/([^/]+(?:\/[^/]+)?)\/?$/s;

/** Another skill, as a skill sees it: `../tidy-rows`, `../tidy-rows/index.ts`. */
const BESIDE = /^\.\.\/([^./][^/]*?)(?:\/index)?(?:\.[cm]?[jt]s)?\/?$/;

/** How a text spells the skill that a specifier names. */
export function skillSpelling(specifier: string, isSkill: boolean): string | undefined {
  const [, folder, path = ""] = OWN_FOLDER.exec(specifier) ?? [];
  if (folder === "skills") {
    const [name = "", file, ...deeper] = path.replace(/\/$/, "").split("/");
    if (name === "" || file === "" || deeper.length > 0 || specifier.includes("//")) return undefined;
    if (file === undefined) return withoutExtension(name);
    return withoutExtension(file) === "index" ? name : undefined;
  }
  return isSkill && folder === undefined ? BESIDE.exec(specifier)?.[1] : undefined;
}

/**
 * Finds what a specifier names, with or without `index`, extension and leading dots.
 * @param isSkill whether it stands in a skill
 */
export function resolveSpecifier(
  specifier: string,
  servers: readonly ServerRecord[],
  isSkill = false,
): Target {
  const module = toModuleName(specifier);
  if (module !== undefined) return { kind: "module", name: module };
  const path = OWN_FOLDER.exec(specifier) ?? WRITTEN_TREE.exec(specifier);
  const parts = (path?.[2] ?? "").split("/").filter((part) => part !== "");
  const bare = parts.map((part, index) => (index === parts.length - 1 ? withoutExtension(part) : part));
  // A server may be called `chart.js`.
  const written = parts.length === 1 ? parts[0] : undefined;
  const [first, second] = bare.at(-1) === "index" ? bare.slice(0, -1) : bare;
  const skill = skillSpelling(specifier, isSkill);
  if (skill !== undefined) return { kind: "skill", name: skill };
  if ((path?.[1] === "servers" || path?.[1] === "mcp-api") && bare.length <= 2)
    return inServers(first, second, servers, written);
  const hint = insteadOfModule(specifier) ?? didYouMean(shorten(specifier), MODULE_NAMES) ?? IMPORTABLE;
  return { kind: "unknown", message: `Cannot import "${shorten(specifier)}"`, hint };
}

function inServers(
  name: string | undefined,
  file: string | undefined,
  servers: readonly ServerRecord[],
  written = name,
): Target {
  if (name === undefined) return { kind: "servers" };
  if (name === "_keyhole" && file === undefined) return { kind: "runtime" };
  const names = nameIndexOf(servers);
  const whole = names.server(written ?? name);
  const isWhole = whole.kind === "one" && [whole.value.name, whole.value.folder].includes(written ?? name);
  const meant = isWhole ? whole : names.server(name);
  if (meant.kind !== "one") return noServer(name, meant, servers);
  const server = meant.value;
  if (file === undefined) return { kind: "server", server };
  const tool = findTool(server, file);
  if (tool.kind === "one") return { kind: "tool", server, tool: tool.value };
  const hint = whichFunction(file, server) ?? `Import from "./servers/${server.folder}"`;
  return { kind: "unknown", message: `Server "${server.name}" has no "${shorten(file)}"`, hint };
}

function noServer(
  name: string,
  meant: Meaning<ServerRecord>,
  servers: readonly ServerRecord[],
): Target & { kind: "unknown" } {
  const message = `There is no server "${shorten(name)}"`;
  if (meant.kind === "many") {
    const candidates = meant.values.map(({ folder }) => folder);
    return { kind: "unknown", message, hint: couldMean(candidates) };
  }
  const known = servers.map(({ folder }) => folder);
  const all = `Servers: ${known.slice(0, 20).join(", ")}${known.length > 20 ? ", …" : ""}`;
  return { kind: "unknown", message, hint: didYouMean(name, known) ?? all, server: name };
}

/** The server that `import { googleDrive } from "./servers"` names. */
export function importedServer(
  name: string,
  servers: readonly ServerRecord[],
): Target & { kind: "server" | "unknown" } {
  const meant = nameIndexOf(servers).server(name);
  return meant.kind === "one" ? { kind: "server", server: meant.value } : noServer(name, meant, servers);
}

/** What a name that is no function of a server could have meant. */
export function whichFunction(name: string, server: ServerRecord): string | undefined {
  const meant = findTool(server, name);
  if (meant.kind === "many") return couldMean(meant.values.map(({ identifiers }) => identifiers.typescript));
  return didYouMean(name, functionNames(server));
}

export function functionNames(server: ServerRecord): string[] {
  return server.tools.map((tool) => tool.identifiers.typescript);
}

function withoutExtension(file: string): string {
  return file.replace(/\.[cm]?[jt]s$/, "");
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
