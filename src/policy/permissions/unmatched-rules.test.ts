import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import type { PermissionRule } from "../../config/permissions/schema.ts";
import { unmatchedRules } from "./unmatched-rules.ts";

function entry(
  name: string,
  tools: readonly string[],
  status: CatalogEntry["status"] = "ready",
): CatalogEntry {
  const record = serverRecord(
    name,
    tools.map((tool) => toolRecord({ name: tool, server: name })),
  );
  const { identifiers, folder } = record;
  const isRead = status === "ready" ? { record } : {};
  return { name, identifiers, folder, status, ...isRead, warnings: [], changes: [] };
}

const own = [toolRecord({ server: "keyhole", name: "runCommand" })];
const mail = entry("mail", ["send_mail", "list_mails"]);
const found = (
  rule: Partial<PermissionRule>,
  entries = [mail],
  usersFile = "user.json",
  file = "keyhole.config.json",
) =>
  unmatchedRules(
    { policies: [{ file, permissions: { rules: [{ decision: "deny", ...rule }] } }], usersFile },
    entries,
    own,
  );

describe("unmatchedRules", () => {
  it.each<Partial<PermissionRule>>([
    { server: "mail", tool: "send_*" },
    { tool: "listMails" },
    { tool: "mail.send_mail" },
    {},
    { server: "keyhole", tool: "runCommand" },
    { server: "mail", tool: "send_mail", args: { "$.to": { equals: "a" } } },
  ])("says nothing of %o, which a tool meets", (rule) => expect(found(rule)).toEqual([]));

  it.each<[Partial<PermissionRule>, string]>([
    [{ server: "mail", tool: "snd_mail" }, "mail snd_mail"],
    [{ tool: "delete_*" }, "delete_*"],
    [{ server: "git*" }, "git*"],
    [{ tool: "list_mails", when: { trusted: true } }, "none has what it asks for"],
  ])("tells of %o", (rule, why) => {
    expect(found(rule)).toEqual([
      expect.stringContaining('rule 1 of "permissions" (deny) is for nothing here'),
    ]);
    expect(found(rule)[0]).toContain(why);
  });

  it("tells nothing that can't be told", () => {
    const failed = [mail, entry("github", [], "failed")];
    expect(found({ tool: "delete_*" }, failed)).toEqual([]);
    expect(found({ server: "github", tool: "x" }, failed)).toEqual([]);
    expect(found({ server: "mail", tool: "x" }, failed)).toHaveLength(1);
    // Another notice tells of a server that is not there.
    expect(found({ server: "maill" })).toEqual([]);
  });

  it("takes the user's own rules to be for other projects too", () => {
    const users = (rule: Partial<PermissionRule>) => found(rule, [mail], "user.json", "user.json");
    expect([users({ tool: "delete_*" }), users({ server: "git*" })]).toEqual([[], []]);
    expect(users({ server: "mail", tool: "snd_mail" })).toHaveLength(1);
  });
});
