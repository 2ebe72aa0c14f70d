import { expect, it } from "vitest";
import { readTools } from "../../catalog/read-tools.ts";
import { toEffectMark } from "./effect-mark.ts";

it.each([
  ["a reader that declares nothing", { name: "list_issues" }, "r"],
  ["a writer that declares nothing", { name: "create_issue" }, "w"],
  ["what destroys by its name", { name: "delete_issue" }, "!"],
  ["what declares that it destroys", { name: "list_issues", annotations: { destructiveHint: true } }, "!"],
  ["what says nothing at all", { name: "frobnicate" }, "?"],
])("%s", async (_, said, mark) => {
  const [tool] = (await readTools([{ inputSchema: { type: "object" }, ...said }])).tools;
  if (tool === undefined) throw new Error("No tool");
  const names = { server: "tracker", identifiers: { typescript: tool.name, python: tool.name } };
  expect(toEffectMark({ ...tool, ...names, trusted: false, since: "2026-01-01T00:00:00Z" })).toBe(mark);
});
