import { basename } from "node:path";
import { DEFAULT_SETTINGS, type ServerDefinition, type StdioTarget } from "../server-definition.ts";
import { isSteering, toAscii, toShown, toShownArgument, toShownJson, toShownValue } from "./shown-text.ts";

/** What a person sees before saying yes, and what stands beside it in words. */
export type Shown = { readonly lines: readonly string[]; readonly remarks: readonly string[] };

const MAX_LINES = 200;
/** They take what lies in the folder where they are started before anything else. */
const RUNNERS = new Set(
  "npx npm pnpm pnpx yarn bunx bun uv uvx pipx poetry make just cargo go dotnet mvn gradle".split(" "),
);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "fish", "ksh", "cmd", "powershell", "pwsh"]);

/** What would be started or reached. Names of the env file's variables alone, no value of a secret. */
export function describeBroughtServer(server: ServerDefinition, envFileNames: readonly string[] = []): Shown {
  const { transport, settings, source } = server;
  const lines =
    transport.type === "stdio"
      ? stdioLines(transport, envFileNames)
      : [
          `url: ${toShownArgument(transport.url)}`,
          ...hostLine(transport.url),
          ...Object.entries(transport.headers).map(
            ([name, value]) => `header ${toShown(name)}: ${toShownValue(name, value)}`,
          ),
        ];
  const defaults = new Map<string, unknown>(Object.entries(DEFAULT_SETTINGS));
  for (const [key, value] of Object.entries(settings))
    if (value !== undefined && value !== defaults.get(key)) lines.push(`${key}: ${toShownJson(value)}`);
  if (source.client !== "mcp-json" && source.client !== "keyhole")
    lines.push(`taken from: ${toShown(source.file)}`);
  return { lines: bounded(lines), remarks: remarksOn(server, envFileNames) };
}

/** No more than a person looks at; that there is more is told. */
export function bounded(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LINES) return [...lines];
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more lines, look into the file`];
}

function stdioLines(transport: StdioTarget, envFileNames: readonly string[]): string[] {
  const { command, args, env, envFile, inheritEnv, cwd } = transport;
  const words = [toShownArgument(command), ...args.map((arg, at) => toShownArgument(arg, args[at - 1]))];
  return [
    `starts: ${words.join(" ")}`,
    ...(cwd === undefined ? [] : [`in: ${toShown(cwd)}`]),
    ...Object.entries(env).map(([name, value]) => `env ${toShown(name)}=${toShownValue(name, value)}`),
    ...(inheritEnv.length === 0 ? [] : [`gets of your environment: ${inheritEnv.map(toShown).join(", ")}`]),
    ...(envFile === undefined
      ? []
      : [
          `env file: ${toShown(envFile)}, with ${envFileNames.map(toShown).join(", ") || "nothing that can be read"}`,
        ]),
  ];
}

/** As the machine reads it: letters of other scripts are written out in a host's name. */
function hostLine(url: string): string[] {
  const host = URL.canParse(url) ? new URL(url).host : "";
  return host === "" || url.includes(`//${host}`) ? [] : [`host: ${toShown(host)}`];
}

function remarksOn(
  { name, transport, settings }: ServerDefinition,
  envFileNames: readonly string[],
): string[] {
  const remarks: string[] = [];
  const texts = transport.type === "stdio" ? [transport.command, ...transport.args] : [transport.url];
  for (const text of [name, ...texts]) {
    const written = toAscii(text);
    if (written !== undefined) remarks.push(`has letters that are not ASCII: ${written}`);
  }
  if (transport.type === "stdio") remarks.push(...remarksOnCommand(transport, envFileNames));
  if (settings.trusted)
    remarks.push("says of itself that its word about its tools is to be believed (trusted: true)");
  return remarks.slice(0, 20);
}

function remarksOnCommand(
  { command, args, env, inheritEnv }: StdioTarget,
  envFileNames: readonly string[],
): string[] {
  const remarks: string[] = [];
  const scripts = [command, ...args].filter(isPathInside);
  if (scripts.length > 0)
    remarks.push(
      `runs files of this folder, which can change without being asked about: ${scripts
        .slice(0, 5)
        .map((path) => toShownArgument(path))
        .join(", ")}`,
    );
  const program = basename(command)
    .toLowerCase()
    .replace(/\.(exe|cmd|bat)$/, "");
  if (SHELLS.has(program)) remarks.push("is a command of a shell");
  if (RUNNERS.has(program) || (/^python/.test(program) && args.includes("-m")))
    remarks.push(`${program} takes packages and settings of the folder first, where there are some`);
  const steering = [...Object.keys(env), ...inheritEnv, ...envFileNames].filter(isSteering);
  if (steering.length > 0)
    remarks.push(
      `sets what programs load or where they are found: ${steering.slice(0, 10).map(toShown).join(", ")}`,
    );
  const references = [command, ...args].flatMap((text) => text.match(/\$\{[^}]*\}/g) ?? []);
  if (references.length > 0)
    remarks.push(
      `is completed by your environment: ${[...new Set(references)]
        .slice(0, 10)
        .map((text) => toShownArgument(text))
        .join(", ")}`,
    );
  return remarks;
}

/** A relative path, or a name with the ending of a program. Options may have one behind their `=`. */
function isPathInside(word: string): boolean {
  const path = word.replace(/^-[^=]*=/, "");
  if (/^(?:\/|~|[A-Za-z]:[\\/]|[a-z][a-z+.-]*:\/\/)/.test(path)) return false;
  if (/^\.{1,2}(?:[\\/]|$)/.test(path)) return path !== "." && path !== "..";
  return /^[^\s@][^\s]*\.(?:[cm]?[jt]sx?|py|rb|sh|ps1|bat|cmd|exe|jar|php|pl|lua|wasm)$/i.test(path);
}
