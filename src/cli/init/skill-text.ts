import { createHash } from "node:crypto";

export const SKILL_NAME = "mcp-progressive-discovery";

/** `SERVER` and `TOOL` stand for names that the reader has found; everything else is to be typed as it stands. */
export function toSkillText(launcher: readonly string[]): string {
  const keyhole = launcher.map(quote).join(" ");
  const text = `---
name: ${SKILL_NAME}
description: Finds and uses the tools of this project's MCP servers from the shell, through Keyhole - search, read one typed wrapper, run a small TypeScript program. Use it when a task needs data or actions of an MCP server, above all many calls or large results.
compatibility: Node 20.19 or newer, and Keyhole
metadata:
  generator: keyhole-mcp
  ${digestLine("")}
---

# MCP tools as code

Look for the functions you need, then do the whole task in one program. Run all of this in the project's folder; SERVER
and TOOL stand for names that you found.

## Look

\`\`\`sh
${keyhole} search                                    # the servers
${keyhole} search "what the tool does"               # the best functions, with signatures
${keyhole} search "what the tool does" --detail name # or description, or full; --limit 20
${keyhole} generate                                  # writes the wrappers to servers/, only what changed
ls servers/ servers/SERVER/                     # a folder for each server, a file for each function
cat servers/SERVER/TOOL.ts                      # its types and documentation
\`\`\`

## Write a program

In a file such as \`scripts/task.ts\`; also "./servers/SERVER" works, wherever the file lies:

\`\`\`ts
import { TOOL } from "../servers/SERVER/index.js";

const result = await TOOL({});
console.log(JSON.stringify(result).slice(0, 2000));
\`\`\`

## Run it

\`\`\`sh
${keyhole} run scripts/task.ts
${keyhole} run scripts/task.ts --json                # result, logs, calls and what it cost, as data
${keyhole} run -e 'return await SERVER.TOOL({})'     # each server is also a global
\`\`\`

- Only what is printed or returned comes out: filter, join and count in the program. Independent calls: \`Promise.all\`.
- Where a type is \`unknown\`, print a sample of the result first.
- Files: \`node:fs/promises\` in ./workspace, kept between runs, and ./servers to read. No network, environment, packages or other files.
- A failed call throws \`ToolError\` (server, tool, message); catch it to go on.
- Leave the files in servers/ as they are.

## When it fails (exit code 1)

- \`error (types)\`: nothing has run; the message has the line, the right signature and near names. Mend it, run again.
- \`error (tool_error)\`: the words are the server's. The calls made before are listed: don't repeat those that changed data.
- \`error (timeout)\`, \`(memory)\`, \`(calls)\`: do less in one program, keep what is done in ./workspace.
- A function is missing: \`${keyhole} generate --refresh\`. A server is: \`${keyhole} doctor\`.
`;
  return text.replace(digestLine(""), digestLine(toDigest(text)));
}

/** Whether a text is one that Keyhole wrote, of whatever version, and nobody has changed since. */
export function isUnchangedSkill(text: string): boolean {
  const [line, digest] = /^ {2}digest: "([0-9a-f]{64})"$/m.exec(text) ?? [];
  return line !== undefined && digest === toDigest(text.replace(line, `  ${digestLine("")}`));
}

function digestLine(digest: string): string {
  return `digest: "${digest}"`;
}

function toDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function quote(part: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(part) ? part : `"${part.replaceAll(/(["$`])/g, "\\$1")}"`;
}
