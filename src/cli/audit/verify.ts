import { findKnownKeys, readPublicKeys } from "../../engine/audit/audit-keys.ts";
import type { ProjectAudit } from "../../engine/audit/audit-of-project.ts";
import { checkProofFile } from "../../engine/audit/prove-event.ts";
import {
  type AuditVerification,
  type VerifyRequest,
  verifyArchiveFile,
  verifyAudit,
  verifyCopy,
} from "../../engine/audit/verify-of-project.ts";
import { KeyholeError } from "../../errors.ts";
import { createKeyholeCommand } from "../../text/keyhole-command.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import { tellNothing } from "./nothing-yet.ts";

const MAX_SHOWN = 20;

/** Whether the record is what was written down; the exit code is 1 where it is not. */
export function verify(context: CommandContext, audit: ProjectAudit): Promise<number> {
  const { key } = context.options;
  const keys = typeof key === "string" ? { keyFile: key } : {};
  return verifyEvents(
    context,
    (request) => verifyAudit(audit, { ...request, ...keys }),
    audit.log === undefined ? () => tellNothing(context, audit) : undefined,
  );
}

/** What somebody was given can be verified in any folder: of that nothing is opened. Nothing where the folder's own log is meant. */
export function verifyApart(context: CommandContext): Promise<number> | undefined {
  const { key, proof, archive, database } = context.options;
  if (typeof proof === "string") return verifyProof(context, proof);
  if (typeof archive === "string") return verifyOneArchive(context, archive);
  if (typeof database !== "string") return undefined;
  const keyFile = needKeys(key);
  return verifyEvents(context, (request) => verifyCopy(database, { ...request, keyFile }));
}

async function verifyEvents(
  context: CommandContext,
  find: (request: VerifyRequest) => Promise<AuditVerification>,
  tellNone?: () => void,
): Promise<number> {
  const { output, options } = context;
  const { key, anchor } = options;
  let [done, all] = [0, 0];
  const progress = output.progress(() => `Verified ${done} of ${count(all, "event")}`);
  try {
    const request = {
      ...(typeof anchor === "string" && { anchorFile: anchor }),
      onProgress: (events: number, of: number) => {
        [done, all] = [events, of];
      },
    };
    const found = await find(request);
    progress.done();
    if (output.json) output.printJson(found);
    else if (tellNone !== undefined) tellNone();
    else print(context, found, typeof key === "string");
    if (!output.json) for (const file of found.aside ?? []) output.note(toAsideNote(file));
    const { missingArchives = [] } = found;
    if (!output.json && missingArchives.length > 0)
      output.note(
        `${count(missingArchives.length, "archive")} that the log names can't be compared, not being where ${missingArchives.length === 1 ? "it was" : "they were"} written: ${toExcerpt(missingArchives.join(", "), 300)}`,
      );
    return found.ok ? 0 : 1;
  } finally {
    progress.done();
  }
}

function toAsideNote(file: string): string {
  return `Moved aside, since it was not this user's, and not part of this log: ${toExcerpt(file, 300)}. keyhole audit verify --database FILE --key FILE verifies it`;
}

function needKeys(key: unknown): string {
  if (typeof key === "string") return key;
  throw new KeyholeError("usage", "A copy of a log is verified by the keys that were given with it", {
    hint: "Add --key FILE, with what keyhole audit keys printed where the log was written",
  });
}

async function verifyProof({ output, options }: CommandContext, file: string): Promise<number> {
  const { key } = options;
  const known = await (typeof key === "string" ? readPublicKeys(key) : findKnownKeys());
  const found = await checkProofFile(file, known);
  const ok = found.ok && found.isKeyKnown;
  if (output.json) {
    output.printJson({ ...found, ok });
    return ok ? 0 : 1;
  }
  const { style } = output;
  if (!found.ok) output.print(`${style("red", "✗")} Nothing is proved: ${toExcerpt(found.message, 300)}`);
  else {
    const signed = `signed by key ${found.key} at ${new Date(found.signedAt).toISOString()}`;
    output.print(
      ok
        ? `${style("green", "✓")} Event ${found.sequence} stands in the log, ${signed}`
        : `${style("red", "✗")} Event ${found.sequence} was ${signed}, and that key is not known`,
    );
    if (!ok)
      output.note("Get the public keys from whoever wrote the log (keyhole audit keys), and add --key FILE");
    output.print(`  ${toExcerpt(JSON.stringify(found.event), 2_000)}`);
  }
  return ok ? 0 : 1;
}

async function verifyOneArchive({ output, options }: CommandContext, file: string): Promise<number> {
  const { key } = options;
  const known = await (typeof key === "string" ? readPublicKeys(key) : findKnownKeys());
  const found = await verifyArchiveFile(file, known);
  const { ok, problems, from, to } = found;
  const { style } = output;
  if (output.json) output.printJson({ ...found, events: found.count });
  else {
    const what = `${count(found.count, "event")}, from ${from} to ${to}`;
    output.print(
      ok
        ? `${style("green", "✓")} Each event in the archive stood in the log: ${what}`
        : `${style("red", "✗")} The archive is not what stood in the log: ${what}`,
    );
    for (const problem of problems.slice(0, MAX_SHOWN)) output.print(`  ${toExcerpt(problem, 300)}`);
    if (ok)
      output.note(
        "That none was taken out of the file is told by keyhole audit verify, where the log is: it compares its hash",
      );
  }
  return ok ? 0 : 1;
}

function print({ output, projectDir }: CommandContext, found: AuditVerification, hasKey: boolean): void {
  const { style } = output;
  const facts = [
    count(found.events, "event"),
    count(found.checkpoints, "signed checkpoint"),
    ...(found.pruned > 0 ? [`${found.pruned} taken out by retention`] : []),
    ...(found.anchors === undefined ? [] : [count(found.anchors, "anchor")]),
  ].join(", ");
  if (found.ok) {
    output.print(`${style("green", "✓")} The log is whole: ${facts}`);
    if (hasKey)
      output.note(
        "With a key alone, a log that was cut back to an earlier end looks whole: --anchor FILE finds that",
      );
    return;
  }
  output.print(`${style("red", "✗")} The log is not what was written down: ${facts}`);
  for (const { kind, message } of found.problems.slice(0, MAX_SHOWN))
    output.print(`  ${style("red", kind.padEnd(14))} ${toExcerpt(message, 300)}`);
  const rest = found.problemCount - Math.min(found.problems.length, MAX_SHOWN);
  if (rest > 0) output.print(`  and ${count(rest, "more problem")}`);
  output.note(
    `${createKeyholeCommand(projectDir)("audit verify --json")} has the numbers and ids of the events`,
  );
}
