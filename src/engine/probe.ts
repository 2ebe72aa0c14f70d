import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogEntry } from "../catalog/entry.ts";
import type { ToolRecord } from "../catalog/tool.ts";
import { toTypeScriptSignature } from "../codegen/typescript/signature.ts";
import { toKeyholeError } from "../errors.ts";
import { EMPTY_RECEIPT } from "../result/receipt.ts";
import { createSession, type Session } from "../session.ts";
import { isRecord } from "../text/is-record.ts";
import { randomId } from "../text/random-id.ts";
import { VERSION } from "../version.ts";
import { openTrail } from "./audit/open-trail.ts";
import { createRunTrail } from "./audit/run-trail.ts";
import { createSessionTrail } from "./audit/session-events.ts";
import { createShapes } from "./audit/shape.ts";
import type { AuditTrail } from "./audit/trail.ts";
import type { CallingRun } from "./call/call.ts";
import { type Calls, createCalls } from "./call/create-calls.ts";
import { inTurn } from "./call/in-turn.ts";
import { type Journal, openJournal } from "./journal/journal.ts";
import { toJournalOptions } from "./journal/journal-options.ts";
import { openPolicy } from "./policy/open-policy.ts";
import type { Project } from "./project.ts";

/** What became of one tool when tools were tried out to learn what they return. */
export type Probed = {
  readonly server: string;
  readonly tool: string;
  readonly status: "learned" | "skipped" | "failed";
  /** The signature with the learned result, else why there is none. */
  readonly detail: string;
};

export type ProbeOptions = {
  readonly onStart?: (server: string, tool: string) => void;
  /** What a person should know: that nothing can be written down, for example. */
  readonly onNotice?: (text: string) => void;
  /** @internal */
  readonly calls?: Calls;
};

/** There is no program that could be told of anything. */
type Trial = CallingRun & { readonly session: Session; begin(): void };

const PROBE = "keyhole tools --probe";
const NOBODY_TOLD = { end: () => 0, fail: () => 0 };
/**
 * Calls, once each and without arguments, the tools that can be called without asking anybody: those that only read, by the
 * word of a server whose word the user trusts, need no arguments, and do not say what they return. Nothing else: and only as
 * the server lists them now, since what it said of them a day ago may be true no more.
 */
export async function probeTools(
  project: Pick<Project, "catalog" | "state" | "config" | "dir" | "env" | "homeDir" | "isKept">,
  entries: readonly CatalogEntry[],
  options: ProbeOptions = {},
): Promise<Probed[]> {
  const { catalog, state, config } = project;
  const { onStart = () => {}, onNotice } = options;
  const journal = openJournal(state, { ...toJournalOptions(config.config), onNotice });
  const audit = openTrail(project, onNotice ?? (() => {}));
  try {
    await journal.ready();
    await audit?.ready();
    const { calls = createCalls({ catalog, policy: openPolicy(project).policy, recorder: journal }) } =
      options;
    return await inTrial(journal, audit, (trial) => probeAll(catalog, calls, trial, entries, onStart));
  } finally {
    await journal.close();
    await audit?.close();
  }
}

/** What is called belongs to a run, also where there is no program: it is written down with its calls, if it has any. */
async function inTrial(
  journal: Journal,
  audit: AuditTrail | undefined,
  probe: (trial: Trial) => Promise<Probed[]>,
): Promise<Probed[]> {
  const id = randomId("r");
  const session = createSession({ client: { name: PROBE, version: VERSION }, front: "cli" });
  const code = `// ${PROBE}`;
  const trail = audit && createRunTrail(audit, createShapes(audit.hash), { id, session, code });
  const sessions = audit && createSessionTrail(audit);
  let calls = 0;
  const probed = await probe({
    session,
    id,
    trail,
    startCall: () => NOBODY_TOLD,
    logOnce: () => {},
    begin() {
      if (calls++ > 0) return;
      sessions?.saw(session, true);
      trail?.add(
        "run.started",
        { code: { ...trail.code, text: code }, language: "none", tier: "none" },
        { outcome: "ok" },
      );
      journal.runTaken({ id, session, code, language: "none", takenAt: Date.now() });
      journal.runStatus(id, "running");
    },
  });
  // No model saw anything, and none would have made these calls.
  const receipt = { ...EMPTY_RECEIPT, calls };
  if (calls === 0) return probed;
  const usage = { seenTokens: 0, keptTokens: 0, directTokens: 0, catalogTokens: 0 };
  const failedCalls = probed.filter(({ status }) => status === "failed").length;
  trail?.add(
    "run.ended",
    { status: "done", code: trail.code, output: trail.hashed(""), tier: "none", usage, calls, failedCalls },
    { outcome: "ok" },
  );
  sessions?.close("the tools were tried");
  await trail?.commit();
  await journal.runEnded({ id, status: "done", receipt, endedAt: Date.now() });
  return probed;
}

async function probeAll(
  catalog: Catalog,
  calls: Calls,
  trial: Trial,
  entries: readonly CatalogEntry[],
  onStart: NonNullable<ProbeOptions["onStart"]>,
): Promise<Probed[]> {
  const probed = entries.map(async (entry) => {
    const results: Probed[] = [];
    // One after another: nobody waits for it, and the server has other things to do.
    for (const tool of entry.record?.tools ?? []) {
      const reason =
        reasonAgainst(entry, tool) ?? (isListed(entry, tool) ? undefined : "it has changed meanwhile");
      const named = { server: entry.name, tool: tool.name };
      if (reason === undefined) onStart(entry.name, tool.name);
      results.push(
        reason === undefined
          ? { ...named, ...(await probe(entry, tool)) }
          : { ...named, status: "skipped", detail: reason },
      );
    }
    return results;
  });
  return (await Promise.all(probed)).flat();

  /** A server may announce other tools while those before are called. */
  function isListed({ name }: CatalogEntry, { name: tool, hash }: ToolRecord): boolean {
    const { record } = catalog.entries().find((entry) => entry.name === name) ?? {};
    return record?.tools.some((listed) => listed.name === tool && listed.hash === hash) ?? false;
  }

  async function probe(entry: CatalogEntry, tool: ToolRecord): Promise<Pick<Probed, "status" | "detail">> {
    try {
      const { signal } = new AbortController();
      trial.begin();
      const call = { run: trial, session: trial.session, server: entry, tool, args: {}, signal };
      await inTurn(calls.queueOf(entry), signal, () => calls.make(call));
      const { record } = entry;
      const signature = record ? toTypeScriptSignature(tool, record, "whole").code : "";
      return { status: "learned", detail: signature };
    } catch (error) {
      return { status: "failed", detail: toKeyholeError(error).message };
    }
  }
}

function reasonAgainst(entry: CatalogEntry, tool: ToolRecord): string | undefined {
  if (entry.status !== "ready") return `its server is ${entry.status}`;
  if (entry.from !== "server") return "its server was not asked for its tools just now";
  if (tool.outputSchema !== undefined) return "it declares what it returns";
  if (!tool.annotations.readOnly) return "not read-only: it may change something";
  if (!tool.trusted)
    return `read-only by the word of its server, which is not trusted: set servers.${JSON.stringify(entry.name)}.trusted to true in keyhole.config`;
  return reasonAgainstNoInput(tool);
}

/** What can stand in a schema without demanding anything. Any other keyword, also an unknown one, may. */
const HARMLESS = new Set(
  "$schema $id $comment title description additionalProperties $defs definitions examples default".split(" "),
);

function reasonAgainstNoInput({ inputSchema, hasUnusableInput }: ToolRecord): string | undefined {
  const {
    type,
    required = [],
    properties = {},
    ...others
  } = typeof inputSchema === "object" ? inputSchema : {};
  if (Array.isArray(required) && required.length > 0) return "it needs arguments";
  const isClear =
    hasUnusableInput !== true &&
    type === "object" &&
    Array.isArray(required) &&
    isRecord(properties) &&
    // As the third draft of JSON Schema has it.
    !Object.values(properties).some((property) => isRecord(property) && property["required"] === true) &&
    Object.keys(others).every((keyword) => HARMLESS.has(keyword));
  return isClear ? undefined : "it may need arguments";
}
