import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { onCleanup } from "../../../test/fixtures/project.ts";
import type { PiiClass } from "../../pii-classes.ts";
import { migrate, VAULT_MIGRATIONS } from "../../store/database/migrations.ts";
import { openSqlite } from "../../store/database/sqlite.ts";
import { createFormIndex, type FormIndex } from "../forms/form-index.ts";
import { createVault } from "../vault/vault.ts";
import type { VaultEntry, WorkspaceVault } from "../vault/workspace-vault.ts";
import { concealMatches } from "./conceal-matches.ts";
import { revealTokens } from "./reveal-tokens.ts";

let vault: WorkspaceVault;
let index: FormIndex<VaultEntry>;

beforeEach(async () => {
  const db = await openSqlite("");
  migrate(db, VAULT_MIGRATIONS);
  onCleanup(() => db.close());
  const key = randomBytes(32);
  vault = await createVault({ database: async () => db, key: async () => key }).open("local");
  index = createFormIndex();
  vault.onChange(({ added, removed }) => {
    index.add(added);
    for (const entry of removed) index.remove(entry);
  });
});

const know = (kind: PiiClass, value: string) => vault.tokenOf(kind, value, { session: "s_1" });

/** A word of a name is a value of its own. */
function conceal(text: string): string {
  return concealMatches(text, index.find(text).matches, ({ entry, isPart, form }, written) =>
    isPart && form === "plain" ? know(entry.class, written) : entry.token,
  );
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

it("shows tokens in the encoding in which values stood, and gives all of it back", () => {
  know("EMAIL", "nadia.rossi@example.com");
  know("NAME", "Nadia Rossi");
  know("PHONE", "+12025550143");
  const text = [
    "Nadia Rossi <nadia.rossi@example.com>, +12025550143; Nadia alone",
    `https://x.example/?to=nadia.rossi%40example.com&tel=%2B12025550143`,
    base64('{"to":"nadia.rossi@example.com","literal":"[EMAIL_1]"}'),
    "a literal [EMAIL_1] and [NAME_9]",
  ].join("\n");
  const shown = conceal(text);
  expect(shown).toContain("[NAME_1] <[EMAIL_1]>, [PHONE_1]; [NAME_2] alone");
  expect(shown).toContain("?to=%5BEMAIL_1%5D&tel=%5BPHONE_1%5D");
  expect(shown).toContain(base64('{"to":"[EMAIL_1]","literal":"[EMAIL_~1]"}'));
  expect(shown).toContain("a literal [EMAIL_~1] and [NAME_~9]");
  expect(revealTokens(shown, vault)).toMatchObject({ text, faults: [] });
});

it("leaves no value in any form, and any text comes back byte for byte where it is written as it was found", () => {
  const canaries: [PiiClass, string][] = [
    ["EMAIL", "canary.one@example.com"],
    ["NAME", "Quirina Zandvoort"],
    ["PHONE", "+442079460018"],
    ["CREDIT_CARD", "4111111111111111"],
    ["IBAN", "GB82WEST12345698765432"],
    ["PASSWORD", 'tr0ub4dor&"3\\x'],
    ["API_KEY", "sk_live_0123456789abcdefXYZ"],
  ];
  for (const [kind, value] of canaries) know(kind, value);
  const plain = canaries.map(([, value]) => value);
  const same = [...plain, ...plain.map(encodeURIComponent)];
  const other = plain.flatMap((value) => [
    value.toUpperCase(),
    [...value].reverse().join(""),
    Buffer.from(value).toString("hex"),
    JSON.stringify(JSON.stringify(value)),
    base64(`it is ${value}`),
  ]);
  const noise = fc.oneof(
    fc.constantFrom(
      " ",
      ", ",
      '"',
      "\\",
      "\n",
      "[EMAIL_1]",
      "[NAME_",
      "EMAIL_1]",
      "%5BEMAIL_1%5D",
      "[",
      "]",
      "~",
      "&amp;",
    ),
    fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
  );
  const isLeft = (shown: string) => index.find(shown).matches.filter(({ form }) => form !== "plain" || true);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(noise, fc.constantFrom(...same)), { maxLength: 6 }),
      noise,
      (parts, end) => {
        const text = `${parts.map(([gap, value]) => `${gap} ${value} `).join("")}${end}`;
        fc.pre(!/^\s*["[{]/.test(text));
        const shown = conceal(text);
        expect(isLeft(shown)).toEqual([]);
        expect(revealTokens(shown, vault)).toMatchObject({ text, faults: [] });
      },
    ),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(noise, fc.constantFrom(...same, ...other)), { maxLength: 6 }), (parts) => {
      const shown = conceal(parts.map(([gap, value]) => `${gap} ${value} `).join(""));
      expect(isLeft(shown)).toEqual([]);
      for (const value of plain) expect(shown.toLowerCase()).not.toContain(value.toLowerCase());
    }),
    { numRuns: 500 },
  );
});
