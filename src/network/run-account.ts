import type { EgressAlert, EgressSource, NetworkUse } from "./connection.ts";
import { EgressError } from "./egress-error.ts";
import type { NetworkSettings } from "./settings.ts";

/** From this part of a limit on, what a run moves is told. */
const UNUSUAL_SHARE = 0.5;
const MAX_HOSTS = 100;
const MAX_DENIED_ALERTS = 10;

export type BytesDirection = "sent" | "received";

/** What one run has moved, held to its limits. */
export type RunAccount = {
  /** Throws when it is more than the run may move. */
  count(direction: BytesDirection, bytes: number): void;
  /** It was let through. */
  admit(host: string): void;
  refuse(message: string): void;
  readonly use: NetworkUse;
};

export function createRunAccount(
  { runId }: EgressSource,
  { maxBytes }: NetworkSettings,
  onAlert: (alert: EgressAlert) => void,
): RunAccount {
  const moved = { sent: 0, received: 0 };
  const hosts = new Set<string>();
  const told = new Set<string>();
  let connections = 0;
  let denied = 0;

  return {
    count(direction, bytes) {
      moved[direction] += bytes;
      const all = moved[direction];
      if (all >= maxBytes * UNUSUAL_SHARE && !told.has(direction)) {
        told.add(direction);
        const text = `Run ${runId} has ${direction} ${toSize(all)} over the network`;
        onAlert({ kind: "volume", runId, text });
      }
      if (all <= maxBytes) return;
      const most = toSize(maxBytes);
      throw new EgressError("limit", `this run has ${direction} more than ${most} (network.maxBytes)`);
    },
    admit(host) {
      connections++;
      if (hosts.size < MAX_HOSTS) hosts.add(host);
    },
    refuse(message) {
      denied++;
      if (told.size > MAX_DENIED_ALERTS || told.has(message)) return;
      told.add(message);
      onAlert({ kind: "denied", runId, text: `Run ${runId} was refused the network: ${message}` });
    },
    get use() {
      return {
        hosts: [...hosts],
        connections,
        denied,
        sentBytes: moved.sent,
        receivedBytes: moved.received,
      };
    },
  };
}

/** In the units of a config. */
function toSize(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${Math.round(kib)} KB` : `${Math.round(kib / 102.4) / 10} MB`;
}
