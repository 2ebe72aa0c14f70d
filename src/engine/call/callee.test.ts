import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import { toCallee } from "./callee.ts";

function isRead(name: string, more: Partial<ToolRecord> = {}): boolean {
  const tool = toolRecord({ name, ...more });
  const { identifiers, folder } = serverRecord("demo", [tool]);
  const server = { name: "demo", identifiers, folder, status: "ready", warnings: [], changes: [] } as const;
  return toCallee({ server, tool }).isRead;
}

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

  it("reads when a trusted server says so, and only then", () => {
    const declared = { readOnly: true };
    expect(isRead("delete_mail", { declared, trusted: true })).toBe(true);
    expect(isRead("delete_mail", { declared, trusted: false })).toBe(false);
  });
});
