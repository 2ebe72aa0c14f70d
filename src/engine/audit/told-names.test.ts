import { describe, expect, it } from "vitest";
import { createSession } from "../../session.ts";
import { createToldSessions, toToldName } from "./told-names.ts";

const KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const privacy = { mask: (text: string) => ({ text: text.replace("Ada Lovelace", "[NAME_1]"), found: [] }) };

describe("a name that a client tells", () => {
  it.each([
    "claude-3-5-sonnet-20241022",
    "us.anthropic.claude-sonnet-4-20250514-v1:0",
    "Qwen/Qwen2.5-72B-Instruct",
    "@modelcontextprotocol/inspector",
    "Visual Studio Code (remote)",
  ])("is kept where it looks like one: %s", (name) => expect(toToldName(name)).toBe(name));

  it.each([
    "model plant03@secretmail.example",
    KEY,
    `model ${KEY}`,
    "x".repeat(101),
    "two\nlines",
    "",
    "<b>",
    Buffer.from("plant03@secretmail.example").toString("base64url"),
  ])("is unnamed where it does not: %s", (name) => expect(toToldName(name)).toBe("unnamed"));

  it("is masked", () => {
    expect(toToldName("of Ada Lovelace", privacy)).toBe("of [NAME_1]");
  });

  it("is looked at once for a session, and once more with the vault", () => {
    const toTold = createToldSessions();
    const session = createSession({ client: { name: "of Ada Lovelace", version: "a@b.example" } });
    expect(toTold(session).client).toEqual({ name: "of Ada Lovelace" });
    const { client } = toTold(session, privacy);
    expect(client).toEqual({ name: "of [NAME_1]" });
    expect(toTold(session).client).toBe(client);
  });
});
