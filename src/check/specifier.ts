import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { insteadOfModule } from "../world/absent.ts";
import { MODULE_NAMES, toModuleName } from "../world/modules.ts";
import { didYouMean } from "./near-names.ts";

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
  | { readonly kind: "skill"; readonly name: string }
  | { readonly kind: "unknown"; readonly message: string; readonly hint: string };

const IMPORTABLE =
  'A program can import "./servers/<server>" and modules of Node as "node:fs/promises"; packages are not there';

/** `./servers/github`, `../servers/github/createIssue.ts`, `servers/github`. */
const OWN_FOLDER = /^(?:\.{0,2}\/)*(servers|skills)(?:\/(.*))?$/s;

/** The tree where `keyhole generate` wrote it, as a program in the project sees it: `../lib/servers/github/index.js`. */
const WRITTEN_TREE = /^\.{0,2}\/(?:.*\/)?(servers|mcp-api)\/([^/]+(?:\/[^/]+)?)\/?$/s;

/** Finds what a specifier names, with or without `index`, extension and leading dots. */
export function resolveSpecifier(specifier: string, servers: readonly ServerRecord[]): Target {
  const module = toModuleName(specifier);
  if (module !== undefined) return { kind: "module", name: module };
  const path = OWN_FOLDER.exec(specifier) ?? WRITTEN_TREE.exec(specifier);
  const parts = (path?.[2] ?? "").split("/").filter((part) => part !== "");
  const bare = parts.map((part, index) => (index === parts.length - 1 ? withoutExtension(part) : part));
  const [first, second] = bare.at(-1) === "index" ? bare.slice(0, -1) : bare;
  if (path?.[1] === "skills" && first !== undefined && bare.length <= 2)
    return { kind: "skill", name: first };
  if ((path?.[1] === "servers" || path?.[1] === "mcp-api") && bare.length <= 2)
    return inServers(first, second, servers);
  const hint = insteadOfModule(specifier) ?? didYouMean(shorten(specifier), MODULE_NAMES) ?? IMPORTABLE;
  return { kind: "unknown", message: `Cannot import "${shorten(specifier)}"`, hint };
}

function inServers(
  name: string | undefined,
  file: string | undefined,
  servers: readonly ServerRecord[],
): Target {
  if (name === undefined) return { kind: "servers" };
  if (name === "_keyhole" && file === undefined) return { kind: "runtime" };
  const server =
    servers.find((candidate) => candidate.identifier === name) ??
    servers.find((candidate) => candidate.name === name);
  if (server === undefined) {
    const known = servers.map((candidate) => candidate.identifier);
    const all = `Servers: ${known.slice(0, 20).join(", ")}${known.length > 20 ? ", …" : ""}`;
    const message = `There is no server "${shorten(name)}"`;
    return { kind: "unknown", message, hint: didYouMean(name, known) ?? all };
  }
  if (file === undefined) return { kind: "server", server };
  const names = [file, withoutUnderscores(file)];
  const tool = server.tools.find(({ identifiers }) => names.includes(identifiers.typescript));
  if (tool !== undefined) return { kind: "tool", server, tool };
  const hint = didYouMean(file, functionNames(server)) ?? `Import from "./servers/${server.identifier}"`;
  return { kind: "unknown", message: `Server "${server.identifier}" has no "${shorten(file)}"`, hint };
}

export function functionNames(server: ServerRecord): string[] {
  return server.tools.map((tool) => tool.identifiers.typescript);
}

function withoutExtension(file: string): string {
  return file.replace(/\.[cm]?[jt]s$/, "");
}

/** The function of a file whose own name was taken. */
function withoutUnderscores(file: string): string {
  let end = file.length;
  while (file[end - 1] === "_") end--;
  return file.slice(0, end);
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
