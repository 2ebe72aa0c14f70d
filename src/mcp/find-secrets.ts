import type { ResolvedServer } from "../config/expand.ts";
import { isSecret, isSecretName, isSecretSegment, isSecretValue } from "../config/looks-secret.ts";
import type { ServerDefinition } from "../config/server-definition.ts";
import { parseTemplate } from "../config/variables.ts";

export type Secret = {
  readonly text: string;
  /** What is shown instead. */
  readonly shown: string;
  /** By its name or its looks: it is taken out of what tools say too. What only may be one, such as a log level, is not. */
  readonly isSure: boolean;
};

/** Shorter values are in too many words to be hidden, and too weak to be secrets. */
const SHORTEST_SECRET = 4;

/**
 * What of a server's entry must not be shown: values of variables, of `env` and of `headers`, and what looks like a secret
 * in the command, in arguments and in the address.
 */
export function findSecrets(
  definition: ServerDefinition,
  { transport }: ResolvedServer,
  env: NodeJS.ProcessEnv,
): Secret[] {
  const found = new Map<string, Secret>();
  const add = (text: string, shown: string, isSure: boolean) => {
    if (text.trim().length < SHORTEST_SECRET) return;
    const known = found.get(text);
    found.set(text, { text, shown: known?.shown ?? shown, isSure: isSure || known?.isSure === true });
  };
  for (const piece of parseTemplate(JSON.stringify(definition.transport))) {
    if (piece.kind !== "variable") continue;
    const value = env[piece.name] || piece.fallback || "";
    add(value, `\${${piece.name}}`, isSecret(piece.name, value));
  }
  if (transport.type === "stdio") {
    addPairs(transport.env, "env", add);
    for (const value of secretsInCommand(transport.command)) add(value, "[command]", true);
    for (const value of secretArguments(transport.args)) add(value, "[args]", true);
    for (const arg of transport.args) for (const value of secretsInAddress(arg)) add(value, "[args]", true);
  } else {
    addPairs(transport.headers, "header", add);
    // As it is written too: what stands before its host has moved to a header, unless there was one.
    const written = definition.transport.type === "stdio" ? [] : [definition.transport.url];
    for (const url of [transport.url, ...written])
      for (const value of secretsInAddress(url)) add(value, "[url]", true);
  }
  return [...found.values()];
}

type Add = (text: string, shown: string, isSure: boolean) => void;

function addPairs(pairs: Record<string, string>, place: "env" | "header", add: Add): void {
  for (const [name, value] of Object.entries(pairs)) {
    if (isPublic(name)) continue;
    const shown = `[${place} ${name.replace(/[^\w.-]/g, "_")}]`;
    const isSure = isSecret(name, value);
    const bare = value.replace(/^\S+ /, "");
    add(value, shown, isSure);
    add(bare, shown, isSure);
    // What goes over several lines, such as a key, is written and read a line at a time.
    for (const line of value.split(/\r?\n/)) add(line, shown, isSure);
    for (const part of basicCredentials(value)) add(part, shown, true);
    for (const part of secretsInAddress(value)) add(part, shown, true);
  }
}

/** `Basic dXNlcjpzZWNyZXQ=` is `user:secret`; the name alone is none. */
function basicCredentials(value: string): string[] {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(value.trim()) ?? [];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  return [pair, pair.slice(pair.indexOf(":") + 1)];
}

/** `--token X`, `--api-key=X`, `API_KEY=X`, `--header "X-Auth: X"`, and what looks like a key by itself. */
function secretArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const before = args[index - 1] ?? "";
    const [, name = "", value = ""] = /^-{0,2}([A-Za-z_][\w.-]*)\s*[=:]\s*(.+)$/s.exec(arg) ?? [];
    const bare = value.replace(/^(bearer|basic|token)\s+/i, "");
    if (name !== "" && isSecret(name, bare)) return [value, bare, ...basicCredentials(value)];
    const isNamed = /^-{1,2}[A-Za-z]/.test(before) && !before.includes("=") && isSecretName(before);
    if (isNamed && !arg.startsWith("-")) return [arg];
    return !/[\s/]/.test(arg) && isSecretValue(arg) && !isPackage(arg) ? [arg] : [];
  });
}

/** In a path of it, and among arguments that were written into it by mistake. */
function secretsInCommand(command: string): string[] {
  const [, ...args] = command.split(/\s+/);
  const segments = command.split(/[\s/\\]+/);
  return [...segments.filter(isSecretValue), ...secretArguments(args)];
}

/** `@scope/name@1.2.3`, `name@1.2.3`. */
function isPackage(arg: string): boolean {
  return /^(@[\w.-]+\/)?[a-z][\w.-]*(@[\w.^~-]+)?$/.test(arg) && arg.includes("@");
}

function secretsInAddress(address: string): string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || !URL.canParse(address)) return [];
  const url = new URL(address);
  const user = url.password === "" ? [] : [`${url.username}:${url.password}`, url.password];
  const query = [...url.searchParams].flatMap(([name, value]) => (isSecret(name, value) ? [value] : []));
  const path = url.pathname
    .split("/")
    .filter((segment) => isSecretSegment(segment.replace(/%[0-9a-f]{2}/gi, "0")));
  const hash = isSecretSegment(url.hash.slice(1)) ? [url.hash.slice(1)] : [];
  return [...user, ...query, ...path, ...hash].flatMap((part) => [part, decoded(part)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Folders that we set ourselves, and that errors should name. */
function isPublic(name: string): boolean {
  return name === "CLAUDE_PROJECT_DIR";
}
