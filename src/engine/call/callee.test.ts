import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import { toCallee } from "./callee.ts";

function toMatch(name: string, more: Partial<ToolRecord> = {}) {
  const tool = toolRecord({ name, ...more });
  const { identifiers, folder } = serverRecord("my-demo", [tool]);
  const server = {
    name: "my-demo",
    identifiers,
    folder,
    status: "ready",
    warnings: [],
    changes: [],
  } as const;
  return { server, tool };
}

const isRead = (name: string, more?: Partial<ToolRecord>) => toCallee(toMatch(name, more)).isRead;

describe("a call", () => {
  it.each(
    "get_customer searchTasks list-runs github_list_issues API-get-user get_post check_status is_available count_rows fetch".split(
      " ",
    ),
  )("of %s reads", (name) => expect(isRead(name)).toBe(true));

  it.each(
    "create_issue updateTask get_or_create_user find_and_replace send_email run_query browser_click check_out_cart customers frobnicate".split(
      " ",
    ),
  )("of %s may change something", (name) => expect(isRead(name)).toBe(false));

  it("is named as the program's language does", () => {
    const match = toMatch("add_up", { identifiers: { typescript: "addUp", python: "add_up" } });
    const names = [undefined, "typescript", "python"].map((language) => toCallee(match, language).name);
    expect(names).toEqual(["myDemo.addUp", "myDemo.addUp", "my_demo.add_up"]);
  });

  it("reads when a trusted server says so, and only then", () => {
    const declared = { readOnly: true };
    expect(isRead("delete_mail", { declared, trusted: true })).toBe(true);
    expect(isRead("delete_mail", { declared, trusted: false })).toBe(false);
  });
});
