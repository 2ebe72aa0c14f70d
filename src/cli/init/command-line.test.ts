import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteWord } from "../../text/quote-word.ts";
import { toCommandLine } from "./command-line.ts";
import { toKeyholeEntry } from "./keyhole-entry.ts";

const COMMAND = ["node", "/my clone/main.js", "serve", "--project", "/it's here"];
const NONE = { variables: [], inputs: [] };
const line = (client: "claude-code" | "codex" | "gemini" | "vscode" | "cursor", variables: string[] = []) => {
  const needs = { variables, inputs: [] };
  return toCommandLine(client, COMMAND, toKeyholeEntry(client, COMMAND, needs), needs, "linux");
};

test("each client with a command of its own gets a line that adds Keyhole", () => {
  const program = "node '/my clone/main.js' serve --project '/it'\\''s here'";
  expect(line("claude-code")).toBe(`claude mcp add --scope project keyhole -- ${program}`);
  expect(line("codex")).toBe(`codex mcp add keyhole -- ${program}`);
  expect(line("gemini", ["TOKEN"])).toBe(
    `gemini mcp add --scope project -e 'TOKEN=$TOKEN' keyhole node -- ${program.slice(5)}`,
  );
  expect(line("vscode")).toContain('code --add-mcp \'{"name":"keyhole","type":"stdio"');
  expect(line("cursor")).toBeUndefined();
});

test("a command that could not say all that is needed is not shown", () => {
  expect(line("codex", ["TOKEN"])).toBeUndefined();
  const needs = { variables: ["KEY"], inputs: [{ id: "key" }] };
  const entry = toKeyholeEntry("vscode", COMMAND, needs);
  expect(entry).toMatchObject({ env: { KEY: "${input:key}" } });
  expect(toCommandLine("vscode", COMMAND, entry, needs, "linux")).toBeUndefined();
});

test("a shell hands on exactly the words that were quoted", () => {
  const word = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const script = `printf '%s\\0' ${words.map((text) => quoteWord(text, "linux")).join(" ")}`;
      expect(execFileSync("sh", ["-c", script], { encoding: "utf8" })).toBe(
        words.map((text) => `${text}\0`).join(""),
      );
    }),
    { numRuns: 30 },
  );
});

test("on Windows a word keeps its quotes and backslashes", () => {
  expect(quoteWord('C:\\a b\\"x"\\', "win32")).toBe('"C:\\a b\\\\\\"x\\"\\\\"');
  expect(toCommandLine("claude-code", ["cmd", "/c", "npx"], {}, NONE, "win32")).toMatch(/-- cmd \/c npx$/);
});
