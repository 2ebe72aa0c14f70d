/**
 * All that a model reads about Keyhole before it works with it. It is paid for in every conversation, so the test
 * beside this file holds it to 350 tokens.
 */

export const INSTRUCTIONS =
  "Keyhole runs programs against MCP servers. First search_tools for the functions you need, then do the whole task in " +
  "one execute_code: loop, filter and join there, and return only what you need. Data stays in the sandbox unless " +
  "returned or logged.";

export const SEARCH_TOOLS = {
  name: "search_tools",
  description:
    "Finds functions of the connected MCP servers by what they do; returns their TypeScript signatures. Without a query: the servers.",
  inputSchema: {
    type: "object" as const,
    properties: {
      query: { type: "string" },
      detail: {
        type: "string",
        enum: ["name", "description", "full"],
        description: "Default: signatures of the best few",
      },
      limit: { type: "integer" },
    },
  },
  annotations: { readOnlyHint: true },
};

export const EXECUTE_CODE = {
  name: "execute_code",
  description: `Runs a TypeScript program in a sandbox. Look functions up with search_tools before. Top-level await; \`return\` and console.log are the output.
Each server is a global: const issue = await github.createIssue({ title: "x" }). Or import { createIssue } from "./servers/github". Independent calls: Promise.all.
A failed call throws ToolError (server, tool, message). Result of type unknown: log a sample first.
Files: fs/promises in ./workspace (kept between runs) and ./servers (read-only: the typed wrappers). emit({ type: "image", data, mimeType }) shows content to the user. No network, env or packages.`,
  inputSchema: {
    type: "object" as const,
    properties: {
      code: { type: "string" },
      language: { type: "string", enum: ["typescript", "python"] },
    },
    required: ["code"],
  },
};

/** What a model reads when Python is asked for before it can run. */
export const NO_PYTHON =
  "Python can't run yet. Write the program in TypeScript (leave out `language`); the same functions are there.";

/** What a model reads when Keyhole itself failed; the cause goes to the log, where a person can see it. */
export const INTERNAL_FAILURE =
  "Keyhole failed to do this; the reason is in its log. The program itself may be right.";
