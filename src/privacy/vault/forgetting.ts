import { KEPT_CLASSES, type PiiClass } from "../../pii-classes.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { normalise } from "../normal.ts";
import { toSessionTag } from "./sightings.ts";
import type { WorkspaceCipher } from "./workspace-cipher.ts";

/** What is to be forgotten. */
export type Forgetting =
  /** What no other session has seen. */
  | { readonly session: string }
  /** A person, by a value or a token of theirs: also what stood with it in one record. */
  | { readonly subject: string }
  | { readonly class: PiiClass }
  /** What nobody has met since then, in milliseconds since 1970. */
  | { readonly notSeenSince: number }
  | { readonly all: true };

type Candidate = {
  readonly token: string;
  readonly class: PiiClass;
  readonly value: string;
  readonly normal: string;
  readonly number: number;
};

/** The numbers of the rows. */
export function findForgotten(
  db: Database,
  cipher: WorkspaceCipher,
  what: Forgetting,
  entries: Iterable<Candidate>,
): Set<number> {
  if ("session" in what) return findOfSession(db, cipher, what.session);
  if ("subject" in what) return findOfSubject(db, cipher, what.subject, [...entries]);
  if ("class" in what)
    return new Set([...entries].filter((entry) => entry.class === what.class).map(({ number }) => number));
  if ("notSeenSince" in what)
    return toNumbers(
      db.all("SELECT number FROM vault_values WHERE workspace = ? AND seen_at < ?", [
        cipher.tag,
        what.notSeenSince,
      ]),
    );
  return toNumbers(db.all("SELECT number FROM vault_values WHERE workspace = ?", [cipher.tag]));
}

function findOfSession(db: Database, cipher: WorkspaceCipher, session: string): Set<number> {
  const tag = toSessionTag(cipher, session);
  const found = toNumbers(
    db.all(
      `SELECT value FROM vault_sightings AS own WHERE workspace = ? AND session = ? AND NOT EXISTS
  (SELECT 1 FROM vault_sightings AS other WHERE other.value = own.value AND other.session <> own.session)`,
      [cipher.tag, tag],
    ),
  );
  db.run("DELETE FROM vault_sightings WHERE workspace = ? AND session = ?", [cipher.tag, tag]);
  return found;
}

/** They tell of many: what others have as well stays theirs. */
const SHARED: ReadonlySet<string> = new Set(["COMPANY", ...KEPT_CLASSES]);

function findOfSubject(
  db: Database,
  { tag }: WorkspaceCipher,
  subject: string,
  entries: readonly Candidate[],
): Set<number> {
  const own = entries.filter(
    ({ token, class: kind, value, normal }) =>
      token === subject || value === subject || normal === normalise(kind, subject),
  );
  const names = own.filter(({ class: kind }) => kind === "NAME").map(({ normal }) => normal);
  const isPart = ({ class: kind, normal }: Candidate) =>
    kind === "NAME" && names.some((name) => name.split(" ").includes(normal));
  const classes = new Map(entries.map((entry) => [entry.number, entry.class]));
  const found = new Set([...own, ...entries.filter(isPart)].map(({ number }) => number));
  const records = new Set<string>();
  for (const number of [...found]) {
    for (const [record] of db.all("SELECT hex(record) FROM vault_records WHERE workspace = ? AND value = ?", [
      tag,
      number,
    ]))
      records.add(String(record));
  }
  for (const record of records) {
    const together = db.all("SELECT value FROM vault_records WHERE workspace = ? AND hex(record) = ?", [
      tag,
      record,
    ]);
    for (const number of toNumbers(together))
      if (!SHARED.has(classes.get(number) ?? "") || !isElsewhere(db, tag, number, records)) found.add(number);
  }
  return found;
}

function isElsewhere(db: Database, tag: Buffer, number: number, records: ReadonlySet<string>): boolean {
  const all = db.all("SELECT hex(record) FROM vault_records WHERE workspace = ? AND value = ?", [
    tag,
    number,
  ]);
  return all.some(([record]) => !records.has(String(record)));
}

function toNumbers(rows: readonly unknown[][]): Set<number> {
  return new Set(rows.map(([number]) => Number(number)));
}
