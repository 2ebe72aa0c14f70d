import type { EgressAlert, EgressSource, NetworkUse } from "./connection.ts";
import { EgressError } from "./egress-error.ts";
import type { NetworkSettings } from "./settings.ts";

/** From this part of a limit on, what a run moves is told. */
const UNUSUAL_SHARE = 0.5;
const MAX_HOSTS = 100;
/** Of each kind: whoever asks for made-up names does not hide what else it asks for. */
const MAX_ALERTS_OF_KIND = 5;

export type BytesDirection = "sent" | "received";

/** What one run has moved, held to its limits. */
export type RunAccount = {
  /** Throws when it is more than the run may move. */
  count(direction: BytesDirection, bytes: number): void;
  /** It was let through. */
  admit(host: string): void;
  refuse(failure: Pick<EgressError, "kind" | "message">): void;
  /** Tells how much was refused and not told of. */
  end(): void;
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
  const toldOfKind = new Map<string, number>();
  let denied = 0;
  let untold = 0;

  const tellDenied = (text: string) => onAlert({ kind: "denied", runId, text });

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
    refuse({ kind, message }) {
      denied++;
      if (told.has(message)) return;
      const before = toldOfKind.get(kind) ?? 0;
      if (before >= MAX_ALERTS_OF_KIND) {
        untold++;
        return;
      }
      toldOfKind.set(kind, before + 1);
      told.add(message);
      tellDenied(`Run ${runId} was refused the network: ${message}`);
    },
    end() {
      const times = untold === 1 ? "once more" : `${untold} more times`;
      if (untold > 0) tellDenied(`Run ${runId} was refused the network ${times}, for the like of the above`);
      untold = 0;
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
