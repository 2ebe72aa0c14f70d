import { describe, expect, it } from "vitest";
import { isRead } from "./callee.ts";

const annotations = { readOnly: false, destructive: true, idempotent: false, openWorld: true };

describe("a call", () => {
  it.each(
    "get_customer searchTasks list-runs github_list_issues API-get-user get_post check_status is_available count_rows fetch".split(
      " ",
    ),
  )("of %s reads", (name) => expect(isRead({ name, annotations, trusted: false })).toBe(true));

  it.each(
    "create_issue updateTask get_or_create_user find_and_replace send_email run_query browser_click check_out_cart customers frobnicate".split(
      " ",
    ),
  )("of %s may change something", (name) =>
    expect(isRead({ name, annotations, trusted: false })).toBe(false),
  );

  it("reads when a trusted server says so, and only then", () => {
    const says = { name: "delete_preview", annotations: { ...annotations, readOnly: true } };
    expect(isRead({ ...says, trusted: true })).toBe(true);
    expect(isRead({ ...says, trusted: false })).toBe(false);
  });
});
