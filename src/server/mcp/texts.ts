import { LANGUAGE_NAMES } from "../../engine/language-names.ts";

/**
 * All that a model reads about Keyhole before it works with it. It is paid for in every conversation, so the test
 * beside this file holds it to 350 tokens.
 */

export const INSTRUCTIONS =
  "Keyhole runs programs against MCP servers: one search_tools for all steps, then one execute_code: read, check " +
  "what you got, and then write, in the same program. Data stays there unless returned or logged.";

export const SEARCH_TOOLS = {
  name: "search_tools",
  description:
    'Finds functions of MCP servers and skills by what they do; shows signatures and notes. All steps in one query: "find task; update task". Without a query: the servers.',
  inputSchema: {
    type: "object" as const,
    properties: {
      query: { type: "string" },
      detail: { type: "string", enum: ["name", "description", "full"] },
      limit: { type: "integer" },
    },
  },
  annotations: { readOnlyHint: true },
};

export const EXECUTE_CODE = {
  name: "execute_code",
  description: `Runs TypeScript or Python in a sandbox; search_tools first. Top-level await; return or the last expression is the result, console.log (print) is shown, un-awaited work is waited for.
Each server is a global: await github.createIssue({ title }), in Python github.create_issue(title="x"); or import from "./servers/github". Loop and filter here; return what you need. Failed calls throw ToolError.
Where a result's type is unknown, check its shape and throw with a sample if it is not as expected, before anything is written.
fs works in ./workspace (kept) and ./servers, ./skills (read-only); Node's own modules (Python's), no network, env or packages. emit({ type, data, mimeType }) shows the user content.`,
  inputSchema: {
    type: "object" as const,
    properties: {
      code: { type: "string" },
      language: { type: "string", enum: [...LANGUAGE_NAMES] },
    },
    required: ["code"],
  },
};

/** What a model reads when Keyhole itself failed; the cause goes to the log, where a person can see it. */
export const INTERNAL_FAILURE =
  "Keyhole failed to do this; the reason is in its log. The program itself may be right.";
