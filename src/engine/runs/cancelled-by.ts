/**
 * Who has a run end, and by which way: its `client` (it cancelled, or has gone), `keyhole runs cancel` (`cli`), whoever has the engine
 * (`library`), the watch for anomalies (`anomaly`), Keyhole itself, which ends (`stop`) or can't go on (`failure`).
 */
export type CancelledBy = {
  readonly channel: "client" | "cli" | "library" | "anomaly" | "stop" | "failure";
  readonly person?: string;
};

const known = new WeakMap<AbortSignal, CancelledBy>();

/** The first word counts. */
export function noteCancelled(signal: AbortSignal, by: CancelledBy): void {
  if (!known.has(signal)) known.set(signal, by);
}

/** Of a run that was cancelled. */
export function cancelledBy(signal: AbortSignal): CancelledBy | undefined {
  return known.get(signal);
}
