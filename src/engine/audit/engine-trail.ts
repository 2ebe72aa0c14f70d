import type { Catalog } from "../../catalog/catalog.ts";
import type { ApprovalListener } from "../../policy/approvals/approvals.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import type { Session } from "../../session.ts";
import { VERSION } from "../../version.ts";
import type { RunRequest } from "../engine.ts";
import { toSecurityLevel } from "../policy/security-level.ts";
import type { Project } from "../project.ts";
import type { ProjectTrust } from "../trust.ts";
import { createApprovalTrail } from "./approval-events.ts";
import { createKnownChanges } from "./known-changes.ts";
import { openKnownFile } from "./known-file.ts";
import { createLoginTrail, type RefusedLogin } from "./login-events.ts";
import { type OpenTrail, openTrail, tellIfPossible } from "./open-trail.ts";
import { toInForce } from "./policy-hash.ts";
import { createRefusedRuns, type RefusedRun } from "./refused-runs.ts";
import { createRunTrail, type RunTrail } from "./run-trail.ts";
import { createSessionTrail } from "./session-events.ts";
import { createShapes } from "./shape.ts";
import { createToldSessions } from "./told-names.ts";
import { toWhose } from "./trail.ts";
import { localPerson } from "./trail-of-project.ts";
import { toTrustEvents } from "./trust-events.ts";

export type TrailOf = (
  runId: string,
  request: RunRequest,
  privacy?: Pick<WorkspacePrivacy, "mask">,
) => RunTrail | undefined;

/** All that an engine tells the audit log. */
export type EngineTrail = {
  readonly log: OpenTrail;
  readonly trailOf: TrailOf;
  readonly approvals: ApprovalListener;
  /** Fails where nothing may be run that can't be written down. What is other than it was is told by then. */
  ready(): Promise<void>;
  /** What changed of tools, as far as the catalogue knows, is told. */
  changesTold(): Promise<void>;
  /** A program that was not begun, and why. */
  refused(run: RefusedRun): void;
  /** Something was asked in it, also that it is opened. */
  sessionSeen(session: Session): void;
  sessionEnded(session: Session): void;
  loginRefused(login: RefusedLogin): void;
  /** The same, told of. */
  withTrust(trust: ProjectTrust): ProjectTrust;
  /** Its last words; the log is closed with the project. */
  stopped(): Promise<void>;
};

export type EngineTrailOptions = {
  readonly tier: string;
  /** Of a principal whose programs run, or have run. */
  readonly privacyOf?: ((principal: string) => WorkspacePrivacy | undefined) | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
};

/** Nothing where `auditLogging` is false. */
export function openEngineTrail(
  project: Pick<
    Project,
    | "dir"
    | "state"
    | "config"
    | "configuredBy"
    | "env"
    | "homeDir"
    | "isKept"
    | "catalog"
    | "isTrustedByOption"
  >,
  { tier, onNotice = () => {}, privacyOf }: EngineTrailOptions,
): EngineTrail | undefined {
  const log = openTrail(project, onNotice);
  if (log === undefined) return undefined;
  const { config, catalog } = project;
  const toShape = createShapes(log.hash);
  const sessions = createSessionTrail(log);
  const toTold = createToldSessions();
  const logins = createLoginTrail(log);
  const refusals = createRefusedRuns(log);
  const inForce = toInForce(log, project);
  tellIfPossible(log, {
    action: "keyhole.started",
    outcome: "ok",
    details: {
      version: VERSION,
      pid: process.pid,
      tier,
      level: toSecurityLevel(config.policies),
      ...inForce,
    },
  });
  if (project.isTrustedByOption) {
    const person = localPerson();
    tellIfPossible(log, {
      action: "trust.given",
      outcome: "ok",
      details: { content: inForce.config, channel: "option", ...(person !== undefined && { person }) },
    });
  }
  const changes = watchChanges(catalog, createKnownChanges(log, openKnownFile(log.place), inForce));

  let isStopped = false;
  const saw = (session: Session, isRun: boolean) => {
    try {
      sessions.saw(session, isRun);
    } catch {
      // A run says so by itself.
    }
  };

  return {
    log,
    trailOf(id, { session, code }, privacy) {
      const told = toTold(session, privacy);
      saw(told, true);
      return createRunTrail(log, toShape, { id, session: told, code });
    },
    approvals: createApprovalTrail(log, privacyOf),
    async ready() {
      await log.ready();
      await changes.told();
    },
    changesTold: changes.told,
    refused({ session, ...run }) {
      const told = toTold(session, privacyOf?.(session.principal));
      saw(told, false);
      refusals.refused({ ...run, session: told });
    },
    sessionSeen(session) {
      saw(toTold(session, privacyOf?.(session.principal)), false);
      // Of one that is only opened, nothing else is told.
      tellIfPossible(log);
    },
    sessionEnded(session) {
      try {
        sessions.ended(session);
      } catch {
        // It has ended all the same.
      }
    },
    loginRefused: logins.refused,
    withTrust: (trust) => ({
      ...trust,
      async accept(ids, by) {
        const pending = trust.pending().filter(({ id }) => ids === undefined || ids.includes(id));
        const accepted = await trust.accept(ids, by);
        const told = by && toTold(by, privacyOf?.(by.principal));
        if (told !== undefined) saw(told, false);
        // Whoever answers by a client is known by it alone.
        const events = toTrustEvents("trust.given", pending, "elicitation", told?.client.name);
        tellIfPossible(log, ...events.map((event) => ({ ...event, ...(told && toWhose(told)) })));
        return accepted;
      },
    }),
    async stopped() {
      if (isStopped) return;
      isStopped = true;
      await changes.settled();
      logins.close();
      refusals.close();
      try {
        sessions.close();
      } catch {
        // As above.
      }
      tellIfPossible(log, { action: "keyhole.stopped", outcome: "ok", details: { runs: sessions.runs } });
    },
  };
}

/** Looks once what was read is there, and whenever a server tells of other tools: all that come together at once. */
function watchChanges(catalog: Catalog, changes: ReturnType<typeof createKnownChanges>) {
  let isDue = false;
  let isOver = false;
  let looking: Promise<void> = Promise.resolve();
  const look = () => {
    if (isDue || isOver) return;
    isDue = true;
    looking = looking.then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isDue = false;
      // What can't be remembered is told again.
      await changes.look(catalog.entries()).catch(() => {});
    });
  };
  catalog.onUpdate(look);
  look();
  return {
    told: () => looking,
    async settled() {
      await looking;
      isOver = true;
    },
  };
}
