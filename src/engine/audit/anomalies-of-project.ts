import type { Anomaly } from "../../audit/anomaly/anomaly.ts";
import { replayAnomalies } from "../../audit/anomaly/replay.ts";
import type { LogFilter } from "../../audit/query/filter.ts";
import { KeyholeError } from "../../errors.ts";
import { releaseSession } from "./anomaly-releases.ts";
import type { ProjectAudit } from "./audit-of-project.ts";
import { localPerson } from "./trail-of-project.ts";
import { toIsOn } from "./watch-audit.ts";

/** What was found while it happened. */
export type LiveAnomaly = Omit<Anomaly, "severity"> & {
  readonly id: string;
  readonly severity: string;
  readonly action: string;
};

export type FoundAnomalies = {
  readonly from: number;
  readonly to?: number;
  readonly events: number;
  readonly learned: number;
  readonly unread: number;
  readonly anomalies: readonly Anomaly[];
  readonly live: readonly LiveAnomaly[];
};

/** Replays what the log has of a time. @param notes also by the rules that only take notes */
export async function findAnomalies(
  { reader, settings }: Pick<ProjectAudit, "reader" | "settings">,
  filter: LogFilter & { readonly from: number },
  notes: boolean,
): Promise<FoundAnomalies> {
  const isOn = toIsOn(settings.anomalies.rules);
  const { from, to, session, principal } = filter;
  const { found, live, events, learned, unread } = await replayAnomalies(
    reader,
    { from, ...(to !== undefined && { to }) },
    { isOn: (rule) => isOn(rule) ?? (notes ? true : undefined) },
  );
  const isAsked = (one: Pick<Anomaly, "session" | "principal">) =>
    (session === undefined || one.session === session) &&
    (principal === undefined || one.principal === principal);
  return {
    from,
    ...(to !== undefined && { to }),
    events,
    learned,
    unread,
    anomalies: found.filter(isAsked),
    live: live.flatMap((event) => (event.action === "anomaly.found" ? toLive(event) : [])).filter(isAsked),
  };
}

function toLive({
  id,
  at,
  session,
  principal,
  client,
  run,
  server,
  tool,
  details,
}: Extract<
  Awaited<ReturnType<typeof replayAnomalies>>["live"][number],
  { action: "anomaly.found" }
>): LiveAnomaly[] {
  // Sealed ones have none.
  if (typeof details?.rule !== "string") return [];
  const { rule, severity, text, action, events } = details;
  return [
    {
      ...{ id, at, rule, severity, text, action, events },
      ...(session !== undefined && { session }),
      ...(principal !== undefined && { principal }),
      ...(client !== undefined && { client: client.name }),
      ...(client?.version !== undefined && { clientVersion: client.version }),
      ...(run !== undefined && { run }),
      ...(server !== undefined && { server }),
      ...(tool !== undefined && { tool }),
    },
  ];
}

/** Lets a session go on that the watch has stopped, in whatever process it is. */
export async function releaseStopped(audit: ProjectAudit, session: string): Promise<void> {
  const { events } = await audit.reader.find(
    { session, actions: ["anomaly.found"] },
    { limit: 1, order: "newest" },
  );
  if (events.length === 0)
    throw new KeyholeError("usage", "No anomaly was found in a session of this name", {
      hint: "keyhole audit anomalies lists those there are, with their sessions",
    });
  const person = localPerson();
  await audit.tell({
    action: "anomaly.released",
    session,
    outcome: "ok",
    details: { channel: "cli", ...(person !== undefined && { person }) },
  });
  await releaseSession(audit.place, session);
}
