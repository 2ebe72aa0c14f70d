import type { ServerDefinition } from "../../config/server-definition.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { type MaskOptions, maskArguments, maskLine, maskValue } from "./mask.ts";

const MAX_SHOWN = 100;

/** Key paths, from the server's name on, of values that look like secrets and stand there literally. */
export function literalSecrets(server: ServerDefinition): string[] {
  const before = toTexts(server);
  const after = toTexts(maskSecrets(server, { all: false }));
  return [...before].flatMap(([key, text]) => (after.get(key) === text ? [] : [`${server.name}.${key}`]));
}

/** The definition as it may be shown. */
export function maskSecrets(
  server: ServerDefinition,
  options: MaskOptions = { all: true },
): ServerDefinition {
  const { transport } = server;
  const maskMap = (values: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, maskValue(name, value, options)]),
    );
  if (transport.type !== "stdio") {
    const { url, headers } = transport;
    return {
      ...server,
      transport: { ...transport, url: maskLine(url, options), headers: maskMap(headers) },
    };
  }
  const { command, args, env } = transport;
  return {
    ...server,
    transport: {
      ...transport,
      command: maskLine(command, options),
      args: maskArguments(args, options),
      env: maskMap(env),
    },
  };
}

/** How the server is started or reached, on one line, as its client writes it, and without secrets. */
export function describeStart(server: ServerDefinition): string {
  const { transport } = maskSecrets(server, { all: true, original: true });
  const line = transport.type === "stdio" ? [transport.command, ...transport.args].join(" ") : transport.url;
  return toExcerpt(line, MAX_SHOWN);
}

function toTexts({ transport }: ServerDefinition): Map<string, string> {
  if (transport.type !== "stdio")
    return new Map([...named("headers", transport.headers), ["url", transport.url]]);
  const args = transport.args.map((arg, index): [string, string] => [`args[${index}]`, arg]);
  return new Map([...named("env", transport.env), ["command", transport.command], ...args]);
}

function named(key: string, values: Record<string, string>): [string, string][] {
  return Object.entries(values).map(([name, value]) => [`${key}.${name}`, value]);
}
