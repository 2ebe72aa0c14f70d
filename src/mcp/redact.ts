import type { ResolvedServer } from "../config/expand.ts";
import type { ServerDefinition } from "../config/server-definition.ts";
import { variablesIn } from "../config/variables.ts";
import { KeyholeError, ToolError } from "../errors.ts";

export type Redactor = {
  text(text: string): string;
  error(error: KeyholeError): KeyholeError;
};

/** Shorter values are in too many words to be hidden, and too weak to be secrets. */
const SHORTEST_SECRET = 4;

/**
 * Takes out of an error what came from the environment, from `env` and from `headers`: children echo their secrets to
 * stderr, and libraries repeat addresses in their messages. What a tool itself says is left alone.
 */
export function createRedactor(
  definition: ServerDefinition,
  resolved: ResolvedServer,
  env: NodeJS.ProcessEnv,
): Redactor {
  const secrets = findSecrets(definition, resolved, env);
  if (secrets.length === 0) return NO_REDACTOR;
  const redact = (text: string) =>
    secrets.reduce((shown, [secret, name]) => shown.replaceAll(secret, name), text);
  return {
    text: redact,
    error(error) {
      if (error instanceof ToolError) return error;
      const { code, message, hint, details, server, tool, cause } = error;
      return new KeyholeError(code, redact(message), {
        hint: hint && redact(hint),
        details: details.map(redact),
        server,
        tool,
        cause,
      });
    },
  };
}

export const NO_REDACTOR: Redactor = { text: (text) => text, error: (error) => error };

/** Each secret with what is shown instead; longer ones first, for they may contain shorter ones. */
function findSecrets(
  definition: ServerDefinition,
  { transport }: ResolvedServer,
  env: NodeJS.ProcessEnv,
): [string, string][] {
  const found = new Map<string, string>();
  for (const name of variablesIn(JSON.stringify(definition.transport)))
    found.set(env[name] ?? "", `\${${name}}`);
  const pairs = transport.type === "stdio" ? transport.env : transport.headers;
  const place = transport.type === "stdio" ? "env" : "header";
  for (const [name, value] of Object.entries(pairs)) {
    if (isPublic(name)) continue;
    // What goes over several lines, such as a key, is written and read a line at a time.
    for (const part of [value, value.replace(/^\S+ /, ""), ...value.split(/\r?\n/)])
      found.set(part, `[${place} ${name}]`);
  }
  return [...found]
    .filter(([secret]) => secret.length >= SHORTEST_SECRET)
    .sort(([a], [b]) => b.length - a.length);
}

/** Folders that we set ourselves, and that errors should name. */
function isPublic(name: string): boolean {
  return name === "CLAUDE_PROJECT_DIR";
}
