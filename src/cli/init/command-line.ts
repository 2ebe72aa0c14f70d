import type { JsonObject } from "../../config/files/json-value.ts";
import type { ClientId } from "../../config/server-definition.ts";
import { quoteWord } from "../../text/quote-word.ts";
import type { Needs } from "./keyhole-entry.ts";

/** The client's own command that adds Keyhole; undefined where it has none, or none that says all that is needed. */
export function toCommandLine(
  client: ClientId,
  command: readonly string[],
  entry: JsonObject,
  { variables, inputs }: Needs,
  platform: NodeJS.Platform,
): string | undefined {
  const line = (words: readonly string[]) => words.map((word) => quoteWord(word, platform)).join(" ");
  switch (client) {
    case "claude-code":
      return line(["claude", "mcp", "add", "--scope", "project", "keyhole", "--", ...command]);
    case "codex":
      return variables.length > 0 ? undefined : line(["codex", "mcp", "add", "keyhole", "--", ...command]);
    case "gemini": {
      const [program = "", ...args] = command;
      const env = variables.flatMap((name) => ["-e", `${name}=$${name}`]);
      const head = ["gemini", "mcp", "add", "--scope", "project", ...env, "keyhole", program];
      return line([...head, "--", ...args]);
    }
    case "vscode": {
      if (inputs.length > 0) return undefined;
      return line(["code", "--add-mcp", JSON.stringify({ name: "keyhole", ...entry })]);
    }
    default:
      return undefined;
  }
}
