import { readFile, stat } from "node:fs/promises";
import { checkProof, proveEvent, toProofJson } from "../../audit/log/proof.ts";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { ProjectAudit } from "./audit-of-project.ts";

const MAX_PROOF_BYTES = 32 * 1024 * 1024;

export type ProofOfEvent = {
  readonly id: string;
  readonly sequence: number;
  /** A JSON document that can be checked without the log. */
  readonly text: string;
};

/** That an event stands in the log, for who has nothing of it. It is named by its id or by its number. */
export async function proveLoggedEvent({ log, reader }: ProjectAudit, named: string): Promise<ProofOfEvent> {
  const number = Number(/^#?(\d{1,15})$/.exec(named)?.[1]);
  const page = { after: number + 1, until: number, limit: 1, order: "newest" } as const;
  const byNumber = Number.isNaN(number) ? [] : (await reader.find({}, page)).events;
  const id = byNumber[0]?.id ?? named;
  if (log === undefined)
    throw new KeyholeError("usage", "Nothing has been written down here, so nothing can be proved", {
      hint: "Name the project whose log is meant by --project",
    });
  await refuseOther(reader, id);
  const proof = await proveEvent(log.store, log.logId, id);
  return { id, sequence: proof.sequence, text: toProofJson(proof) };
}

/** Runs and sessions have ids, too, and many events. */
async function refuseOther(reader: ProjectAudit["reader"], id: string): Promise<void> {
  const page = { limit: 1, order: "oldest" } as const;
  if ((await reader.find({ id }, page)).events.length > 0) return;
  for (const kind of ["run", "session"] as const)
    if ((await reader.find({ [kind]: id }, page)).events.length > 0)
      throw new KeyholeError("usage", `"${toExcerpt(id, 100)}" is a ${kind}: what is proved is one event`, {
        hint: `keyhole audit list --${kind} ${toExcerpt(id, 100)} shows its events, each with its number`,
      });
}

export type CheckedProof =
  | {
      readonly ok: true;
      readonly sequence: number;
      readonly event: Readonly<Record<string, unknown>>;
      readonly signedAt: number;
      readonly key: string;
      readonly isKeyKnown: boolean;
    }
  | { readonly ok: false; readonly message: string };

/** By the keys of this user, or by one that was given. */
export async function checkProofFile(
  file: string,
  known: Parameters<typeof checkProof>[1],
): Promise<CheckedProof> {
  try {
    if ((await stat(file)).size > MAX_PROOF_BYTES) throw new Error("It is too large");
    return checkProof(await readFile(file, "utf8"), known);
  } catch (error) {
    throw new KeyholeError(
      "usage",
      `The proof "${toExcerpt(file, 200)}" can't be read: ${errorMessage(error)}`,
      {
        hint: "Give a file that keyhole audit prove wrote",
      },
    );
  }
}
