import type { AuditLog } from "../../audit/audit-log.ts";
import type { ClassTotals, Hashed } from "../../audit/event.ts";
import type { PiiClass } from "../../pii-classes.ts";
import type { Session } from "../../session.ts";

/** Where the engine tells what was done. There is none where `auditLogging` is false: nothing is made of what nobody keeps. */
export type AuditTrail = Pick<AuditLog, "add" | "commit" | "commitTogether" | "later" | "hash"> & {
  /** What is kept beside hashes, masked. */
  readonly contents: "none" | "code" | "all";
};

export function toHashed({ hash }: Pick<AuditTrail, "hash">, text: string | Uint8Array): Hashed {
  return { hash: hash(text), bytes: typeof text === "string" ? Buffer.byteLength(text) : text.length };
}

/** Of whom an event tells. */
type Whose = Pick<Session, "principal" | "client"> & { readonly session: string };

export function toWhose({ id, principal, client }: Session): Whose {
  return { session: id, principal, client };
}

/** How many there are of each class. */
export function toTotals(classes: Iterable<PiiClass>): ClassTotals {
  const totals: Partial<Record<PiiClass, number>> = {};
  for (const kind of classes) totals[kind] = (totals[kind] ?? 0) + 1;
  return totals;
}

/** Throws what is known at once; what comes later is told by whoever has something to do next. */
export function commitSoon({ commit }: Pick<AuditTrail, "commit">): void {
  commit()?.catch(() => {});
}
