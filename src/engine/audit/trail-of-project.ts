import { homedir, userInfo } from "node:os";
import { resolve } from "node:path";
import type { NewEvent } from "../../audit/event.ts";
import { loadConfig } from "../../config/load.ts";
import type { Brought } from "../../config/trust/brought.ts";
import { type PiiClass, toPiiClass } from "../../pii-classes.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { AcceptedTool } from "../policy/explain-tool.ts";
import { type Project, userDir } from "../project.ts";
import { createKnownChanges } from "./known-changes.ts";
import { openKnownFile } from "./known-file.ts";
import { openTrail } from "./open-trail.ts";
import { toInForce } from "./policy-hash.ts";
import { type AuditTrail, toTotals } from "./trail.ts";
import { toTrustEvents } from "./trust-events.ts";

export type TrailOfProject = {
  readonly projectDir: string;
  readonly onNotice: (text: string) => void;
  readonly homeDir?: string | undefined;
};

/**
 * For commands, which have no engine: what a person does by them is in the log before it is said to be done, and not done where
 * nothing can be written.
 */
export async function withTrail<T>(
  { projectDir, onNotice, homeDir = homedir() }: TrailOfProject,
  act: (trail: AuditTrail | undefined) => Promise<T>,
): Promise<T> {
  const { env } = process;
  const dir = resolve(projectDir);
  const config = await loadConfig({ projectDir: dir, homeDir });
  const state = await openStateDir(dir, userDir({ homeDir, env }));
  const trail = openTrail({ dir, state, config, env, homeDir, isKept: true }, onNotice);
  if (trail === undefined) return act(undefined);
  try {
    await trail.ready();
    return await act(trail);
  } finally {
    await trail.close();
  }
}

/** By a command, or on the terminal. */
export async function tellTrust(
  place: TrailOfProject,
  action: "trust.given" | "trust.revoked",
  channel: "cli" | "terminal",
  act: () => Promise<readonly Pick<Brought, "id" | "kind" | "name" | "accepted">[]>,
): Promise<void> {
  await withTrail(place, async (trail) => {
    const items = await act();
    if (trail !== undefined) await tellAll(trail, toTrustEvents(action, items, channel, localPerson()));
  });
}

/** A person takes a changed tool for the one that rules allow. Where nothing can be written, it is not accepted. */
export async function tellAccepted(
  project: Pick<
    Project,
    "dir" | "state" | "config" | "configuredBy" | "env" | "homeDir" | "isKept" | "catalog"
  >,
  onNotice: (text: string) => void,
  accept: () => Promise<AcceptedTool>,
): Promise<AcceptedTool> {
  const trail = openTrail(project, onNotice);
  if (trail === undefined) return accept();
  try {
    await trail.ready();
    const accepted = await accept();
    const { server, tool, definition } = accepted;
    const inForce = toInForce(trail, project);
    // What it was accepted as is told before.
    await createKnownChanges(trail, openKnownFile(trail.place), inForce).look(project.catalog.entries());
    const person = localPerson();
    const details = {
      policy: inForce.policy,
      source: inForce.source,
      accepted: definition,
      channel: "cli",
      ...(person !== undefined && { person }),
    };
    await tellAll(trail, [{ action: "policy.changed", server, tool, outcome: "ok", details }]);
    return accepted;
  } finally {
    await trail.close();
  }
}

/** @param tokens of the values that somebody saw, or that are gone */
export async function tellValues(
  trail: AuditTrail | undefined,
  action: "pii.shown" | "pii.forgotten",
  principal: string,
  tokens: readonly string[],
): Promise<void> {
  if (trail === undefined || tokens.length === 0) return;
  const classes = tokens.flatMap((token): PiiClass[] => {
    const kind = toPiiClass(token.slice(1, token.lastIndexOf("_")));
    return kind === undefined ? [] : [kind];
  });
  const person = localPerson();
  const details = { classes: toTotals(classes), ...(person !== undefined && { person }) };
  await tellAll(trail, [{ action, principal, outcome: "ok", details }]);
}

async function tellAll(trail: AuditTrail, events: readonly NewEvent[]): Promise<void> {
  for (const event of events) trail.add(event);
  await trail.commit();
}

/** Whoever this process runs as. */
export function localPerson(): string | undefined {
  try {
    return toExcerpt(userInfo().username, 60);
  } catch {
    return undefined;
  }
}
