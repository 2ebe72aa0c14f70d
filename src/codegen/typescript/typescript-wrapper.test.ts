import { expect, test } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { toTypeScriptTypeNames, toTypeScriptWrapper } from "./typescript-wrapper.ts";

const createIssue = toolRecord({
  name: "create_issue",
  identifiers: { typescript: "createIssue", python: "create_issue" },
  description: "Creates an issue.\n\nNeeds write access.",
  inputSchema: {
    type: "object",
    properties: {
      owner: { type: "string", description: "Repository owner" },
      labels: { type: "array", items: { type: "string" }, description: "Labels", default: [] },
      milestone: { type: "integer" },
      meta: { type: "object", properties: { kind: { enum: ["bug", "task"], description: "What it is" } } },
    },
    required: ["owner"],
  },
});

test("a wrapper has types, documentation and the call", () => {
  const { code, warnings } = toTypeScriptWrapper(createIssue, serverRecord("github", [createIssue]));
  expect(warnings).toEqual([]);
  expect(code).toBe(`import { callMCPTool } from "../_keyhole.js";

export interface CreateIssueInput {
  owner: string;
  labels?: string[];
  milestone?: number;
  meta?: {
    /** What it is */
    kind?: "bug" | "task";
  };
}

export type CreateIssueResponse = unknown;

/**
 * Creates an issue.
 *
 * Needs write access.
 *
 * @param input.owner Repository owner
 * @param input.labels Labels (default: [])
 * @param input.milestone integer
 * @remarks Changes data; may be destructive.
 */
export async function createIssue(input: CreateIssueInput): Promise<CreateIssueResponse> {
  return callMCPTool<CreateIssueResponse>("github__create_issue", input);
}
`);
});

test("what nobody vouches for is called the server's own word", () => {
  const annotations = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
  const note = (trusted: boolean, readOnly: boolean) => {
    const tool = toolRecord({ name: "t", trusted, annotations: { ...annotations, readOnly } });
    return /@remarks (.*)/.exec(toTypeScriptWrapper(tool, serverRecord("s", [tool])).code)?.[1];
  };
  expect(note(true, true)).toBe("Read-only.");
  expect(note(false, true)).toBe("Read-only (the server's own word).");
  expect(note(true, false)).toBe("Changes data, but only adds to it. Repeating a call changes nothing more.");
  expect(note(false, false)).toContain("only adds to it (the server's own word)");
});

test("the original names go over the wire, escaped", () => {
  const tool = toolRecord({ name: 'a"b\u2028', identifiers: { typescript: "aB", python: "a_b" } });
  expect(toTypeScriptWrapper(tool, serverRecord("my server", [tool], "my_server")).code).toContain(
    '("my server__a\\"b\\u2028", input)',
  );
});

test("a tool called like the bridge does not hide it", () => {
  const tool = toolRecord({ name: "callMCPTool" });
  const { code } = toTypeScriptWrapper(tool, serverRecord("s", [tool]));
  expect(code).toContain("import { callMCPTool as call }");
  expect(code).toContain("return call<CallMCPToolResponse>(");
});

test("names of types never meet names of functions", () => {
  const tools = ["x", "XInput", "XResponse"].map((name) => toolRecord({ name }));
  const server = serverRecord("s", tools);
  const [first = toolRecord({ name: "x" })] = tools;
  expect(toTypeScriptTypeNames(first, server)).toEqual({ input: "XInput_", response: "XResponse_" });
});

test("a very long description is cut", () => {
  const tool = toolRecord({ name: "t", description: "word ".repeat(10_000) });
  expect(toTypeScriptWrapper(tool, serverRecord("s", [tool])).code.length).toBeLessThan(5000);
});

test("warnings of the output schema say so", () => {
  const tool = toolRecord({ name: "t", outputSchema: { type: "blob" } });
  expect(toTypeScriptWrapper(tool, serverRecord("s", [tool])).warnings).toEqual([
    'output schema: type "blob" is not a JSON type',
  ]);
});
