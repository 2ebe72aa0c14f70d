import { isIP } from "node:net";
import type { OpeningConnection, WebConnection } from "../../network/connection.ts";
import type { Run } from "../run/run-record.ts";
import { type RunTrail, toMasked, toMs } from "./run-trail.ts";
import { commitSoon } from "./trail.ts";

const MAX_HOST = 255;
/** So many refusals of a run are told one by one; of those after them, how many there were. */
const MAX_REFUSED = 100;

/** On the disk before a name is looked up or anything is dialled. Where it can't be, it is not. */
export function tellOpening({ trail, privacy, risk }: Run, opening: OpeningConnection): void | Promise<void> {
  if (trail === undefined) return undefined;
  const { id, host, port } = opening;
  trail.add(
    "egress.opened",
    { connection: id, host: toToldHost(host, privacy), port },
    { outcome: "ok", ...(risk && { risk: risk.level }) },
  );
  return trail.commit();
}

/** What a program reached by the network, or was refused, when it is over. */
export function tellConnection({ trail, privacy, risk }: Run, connection: WebConnection): void {
  if (trail === undefined) return;
  const { port, decision, failure, sentBytes, receivedBytes, ms } = connection;
  const host = toToldHost(connection.host, privacy);
  const opened = connection.id === undefined ? {} : { connection: connection.id };
  const head = { durationMs: toMs(ms), ...(risk && { risk: risk.level }) };
  try {
    if (decision === "deny") {
      if (trail.refused++ >= MAX_REFUSED) return;
      const reason = failure?.reason ?? "denied";
      trail.add("egress.refused", { ...opened, host, port, reason }, { ...head, outcome: "denied" });
      if (reason === "limit")
        trail.add("limit.hit", { limit: "network", message: LIMIT }, { outcome: "denied" });
    } else {
      const ended = failure === undefined ? {} : { failure: failure.reason };
      const details = { ...opened, host, port, sentBytes, receivedBytes, ...ended };
      trail.add("egress.connected", details, { ...head, outcome: failure === undefined ? "ok" : "failed" });
    }
    commitSoon(trail);
  } catch {
    // The log is broken, which ends the run by its next call, or its end.
  }
}

/** Where a program has no network at all: what it wanted to reach. */
export function tellNoNetwork(run: Run, url: string): void {
  const { hostname, port, protocol } = URL.canParse(url) ? new URL(url) : NOWHERE;
  const isWeb = protocol === "https:" || protocol === "http:";
  tellConnection(run, {
    runId: run.id,
    host: isWeb ? hostname : "",
    port: isWeb ? Number(port || (protocol === "http:" ? 80 : 443)) : 0,
    protocol: protocol === "http:" ? "http" : "https",
    decision: "deny",
    ...{ sentBytes: 0, receivedBytes: 0, ms: 0 },
  });
}

const NOWHERE = { hostname: "", port: "", protocol: "" };

/** When the run ends. */
export function tellMoreRefused(trail: RunTrail): void {
  const more = trail.refused - MAX_REFUSED;
  if (more > 0)
    trail.add("egress.refused", { host: "", port: 0, reason: "denied", more }, { outcome: "denied" });
}

/** A name can be made of data. */
export function toToldHost(host: string, privacy: Run["privacy"]): string {
  const named = host.slice(0, MAX_HOST);
  return isIP(named) > 0 ? (privacy?.filter(named) ?? named) : (toMasked(named, privacy) ?? named);
}

const LIMIT = "More was asked of the network than a run may have";
