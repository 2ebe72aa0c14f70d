import type { ServerDefinition } from "../../config/server-definition.ts";
import { variablesIn } from "../../config/variables.ts";

const SECRET_NAME = /token|key|secret|passw|authorization|credential|cookie/i;
const MASK = "********";

/** Whether the definition holds values of its own under `env` or `headers`, and not only references to variables. */
export function hasLiteralValues({ transport }: ServerDefinition): boolean {
  const values = transport.type === "stdio" ? transport.env : transport.headers;
  return Object.values(values).some((value) => value !== "" && variablesIn(value).length === 0);
}

/** Key paths, from the server's name on, of values that look like secrets and stand there literally. */
export function literalSecrets({ name, transport }: ServerDefinition): string[] {
  const found =
    transport.type === "stdio"
      ? [
          ...secretKeys("env", transport.env),
          ...transport.args.flatMap((arg, index) =>
            isSecretArgument(transport.args, index) && arg ? [`args[${index}]`] : [],
          ),
        ]
      : [
          ...secretKeys("headers", transport.headers),
          ...(maskUrl(transport.url) === transport.url ? [] : ["url"]),
        ];
  return found.map((key) => `${name}.${key}`);
}

/** The definition as it may be shown. */
export function maskSecrets(server: ServerDefinition): ServerDefinition {
  const { transport } = server;
  if (transport.type !== "stdio") {
    return {
      ...server,
      transport: { ...transport, url: maskUrl(transport.url), headers: maskValues(transport.headers) },
    };
  }
  const args = transport.args.map((arg, index) => {
    if (!isSecretArgument(transport.args, index)) return arg;
    return arg.startsWith("-") ? arg.replace(/=.*$/s, `=${MASK}`) : MASK;
  });
  return { ...server, transport: { ...transport, args, env: maskValues(transport.env) } };
}

/** How the server is started or reached, on one line and without secrets. */
export function describeStart(server: ServerDefinition): string {
  const { transport } = maskSecrets(server);
  const line = transport.type === "stdio" ? [transport.command, ...transport.args].join(" ") : transport.url;
  const clean = line.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
  return clean.length > 100 ? `${clean.slice(0, 99)}…` : clean;
}

function secretKeys(key: string, values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (isSecret(name, value) ? [`${key}.${name}`] : []));
}

function maskValues(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecret(name, value) ? MASK : value]),
  );
}

/** `--token X`, `--token=X`, or a word that looks like nothing else. */
function isSecretArgument(args: readonly string[], index: number): boolean {
  const arg = args[index] ?? "";
  const [, option, value] = /^(-[^=]*)=(.*)$/s.exec(arg) ?? [];
  if (option !== undefined && value !== undefined) return isSecret(option, value);
  if (arg.startsWith("-")) return false;
  const before = args[index - 1] ?? "";
  return isSecret(before.startsWith("-") && !before.includes("=") ? before : "", arg);
}

function maskUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  let masked = text;
  if (url.password !== "") masked = masked.replace(`:${url.password}@`, `:${MASK}@`);
  for (const [name, value] of url.searchParams) {
    if (isSecret(name, value))
      masked = masked.replace(`=${encodeURIComponent(value)}`, `=${MASK}`).replace(`=${value}`, `=${MASK}`);
  }
  return masked;
}

function isSecret(name: string, value: string): boolean {
  if (value === "" || variablesIn(value).length > 0) return false;
  if (SECRET_NAME.test(name)) return !/^(\d{1,8}|true|false)$/i.test(value);
  return isRandom(value);
}

/** Long, of letters and digits mixed, and with hardly a letter twice: keys look so, paths and package names do not. */
function isRandom(value: string): boolean {
  if (!/^(?=.*\d)(?=.*[A-Za-z])[\w+=.-]{20,}$/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const letter of value) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= 3.7;
}
