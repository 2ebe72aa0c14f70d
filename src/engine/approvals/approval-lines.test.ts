import { describe, expect, it } from "vitest";
import type { Approval, PendingCall } from "../../policy/approvals/approval.ts";
import { toApprovalLines, WHOLE } from "./approval-lines.ts";
import { toShownApproval } from "./shown-approval.ts";

const CALL: PendingCall = {
  number: 3,
  server: "post",
  tool: "send_mail",
  toolHash: "h",
  args: { to: "ada" },
  reason: "it sends",
};

function question(calls: readonly PendingCall[], about: Partial<Approval["about"]> = {}): Approval {
  return {
    id: "a_1",
    runId: "r_1",
    session: "s",
    principal: "local",
    status: "pending",
    calls,
    about: { written: [], approvedBefore: [], ...about },
    createdAt: 0,
    expiresAt: 1_000,
  };
}

const textOf = (approval: Approval, limits = WHOLE) =>
  toApprovalLines(approval, limits)
    .map(({ text }) => text)
    .join("\n");

/** What a person takes for ours: it begins within two spaces of the edge. */
const ownLines = (text: string) =>
  text.split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/).filter((line) => /^ {0,3}\S/.test(line));

const FORGED = [
  "\n",
  "\r",
  "\r\n",
  "\u2028",
  "\u2029",
  "\u0085",
  "\v",
  "\f",
  "\u001b[2K\u001b[1G",
  "\u202e",
].map((mark) => `x${mark}  risk      low (0 of 100)${mark}# Approved${mark}[ok](http://127.0.0.1)`);

describe("the lines of a question", () => {
  it.each(FORGED)("can't be forged by names, arguments, reasons, programs or earlier answers: %j", (text) => {
    const call = { ...CALL, server: text, tool: text, reason: text, args: { [text]: [text, { [text]: 1 }] } };
    const about = {
      excerpt: `1  ${text}`,
      written: [{ server: text, tool: text, effect: text }],
      approvedBefore: [text],
      impact: { modifies: true, hosts: [{ host: text }], commands: [{ command: text }], files: [] },
    };
    const shown = textOf(question([call], about));
    const plain = textOf(
      question([CALL], {
        ...about,
        excerpt: "1  x",
        written: [{ server: "a", tool: "b", effect: "landed" }],
        approvedBefore: ["x"],
        impact: { modifies: true, hosts: [{ host: "x" }], commands: [], files: [] },
      }),
    );
    expect(ownLines(shown)).toEqual(ownLines(plain));
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
  });

  it("have an empty line before what is foreign, so that Markdown shows it as it is", () => {
    const lines = toApprovalLines(question([CALL], { excerpt: "1  x", approvedBefore: ["y"] }));
    for (const [index, { kind }] of lines.entries())
      if (kind === "foreign") expect(["foreign", "gap"]).toContain(lines[index - 1]?.kind);
    expect(lines.filter(({ kind, text }) => kind === "foreign" && !text.startsWith("    "))).toEqual([]);
  });

  it("tell fields and values apart that only look the same", () => {
    const shown = textOf(question([{ ...CALL, tool: "sеnd", args: { to: "ada", tо: "eve@cоrp.com" } }]));
    expect(shown).toContain('"t\\u043e": "eve@c\\u043erp.com"');
    expect(shown).toContain("post.s\\u0435nd");
  });

  it("say of each call that may already have happened that it may, and what became of others", () => {
    const written = [{ server: "post", tool: "send_mail", effect: "unknown" }];
    const shown = textOf(question([CALL, { ...CALL, number: 4, repeat: 2 }], { written }));
    expect(shown.match(/may already have happened: it was sent 2 times/g)).toHaveLength(1);
    expect(shown.indexOf("may already have happened")).toBeGreaterThan(shown.indexOf("Call 4"));
    expect(shown).toContain("post.send_mail: may have been done, nobody knows");
    expect(toShownApproval(question([CALL, { ...CALL, repeat: 2 }])).calls).toMatchObject([
      expect.not.objectContaining({ mayHaveHappened: true }),
      { mayHaveHappened: true },
    ]);
  });

  it("are bounded, and say first that not all is shown, and how much is not", () => {
    const calls = Array.from({ length: 7 }, (_, number) => ({
      ...CALL,
      number,
      args: { text: "x".repeat(5_000) },
    }));
    const approvedBefore = Array.from({ length: 12 }, (_, index) => `a_${index}`);
    const limits = { calls: 5, argumentChars: 100, excerptChars: 10, entries: 3 };
    const shown = textOf(question(calls, { excerpt: "y".repeat(50), approvedBefore }), limits);
    expect(shown.split("\n")[1]).toBe("  Not all of it is shown here. All of it: keyhole approvals show a_1");
    expect(shown).toContain("more characters of its arguments");
    expect(shown).toContain("and 2 more that are not shown");
    expect(shown).toContain("… 40 more characters");
    expect(shown).toContain("and 9 more");
    expect(shown.length).toBeLessThan(2_500);
    expect(textOf(question(calls))).toContain("x".repeat(5_000));
  });
});
