import type { WorkspaceCipher } from "../../privacy/vault/workspace-cipher.ts";
import type { Database } from "../../store/database/sqlite.ts";

export type KeptResult = {
  /** By which it is found: a keyed hash. */
  readonly key: Buffer;
  readonly text: string;
  readonly keptAt: number;
  readonly expiresAt: number;
  readonly usedAt: number;
};

const FIND = "SELECT kept_at, used_at, sealed, expires_at FROM cached_results WHERE key = ?";
const PUT = "INSERT OR REPLACE INTO cached_results VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
const TOUCH = "UPDATE cached_results SET used_at = max(used_at, ?) WHERE key = ?";

/** Nothing that has expired, was kept at a time that is still to come, or that this user's Keyhole has not sealed for this key. */
export function findResult(
  db: Database,
  cipher: WorkspaceCipher,
  key: Buffer,
  now: number,
): KeptResult | undefined {
  const [row] = db.all(FIND, [key]);
  if (row === undefined) return undefined;
  const [keptAt, usedAt, sealed, expiresAt] = [Number(row[0]), Number(row[1]), row[2], Number(row[3])];
  if (!(sealed instanceof Uint8Array) || expiresAt <= now || keptAt > now) return undefined;
  const text = cipher.open(toPlace(key, { keptAt, expiresAt }), sealed);
  return text === undefined ? undefined : { key, text, keptAt, expiresAt, usedAt };
}

/** In a transaction. Tells how much it takes. */
export function putResult(
  db: Database,
  cipher: WorkspaceCipher,
  row: KeptResult & { readonly server: string; readonly tool: string },
): number {
  const { key, server, tool, text, keptAt, expiresAt, usedAt } = row;
  const sealed = cipher.seal(toPlace(key, row), text);
  db.run(PUT, [key, cipher.tag, server, tool, keptAt, expiresAt, usedAt, sealed]);
  return sealed.length;
}

/** @param uses when each was used, by its key in hexadecimal digits */
export function touchResults(db: Database, uses: ReadonlyMap<string, number>): void {
  for (const [key, at] of uses) db.run(TOUCH, [at, Buffer.from(key, "hex")]);
}

/** Its times are sealed with it: nobody makes it hold longer. */
function toPlace(key: Buffer, { keptAt, expiresAt }: Pick<KeptResult, "keptAt" | "expiresAt">): string {
  return `${key.toString("base64")} ${keptAt} ${expiresAt}`;
}
