import type { DenyRule, HostRule } from "./rules.ts";

export const DEFAULT_NETWORK = { maxBytes: "10MB", perMinute: 60 } as const;

const NOTHING: NetworkSettings = { allow: [], deny: [], maxBytes: 0, perMinute: 0 };

/** Without settings nothing is reached. */
export function toNetworkSettings(settings: NetworkSettings | null | undefined): NetworkSettings {
  return settings ?? NOTHING;
}

/** `network` of a config, read. */
export type NetworkSettings = {
  /** Nothing is reached that none of these names. */
  readonly allow: readonly HostRule[];
  /** Stronger than `allow`. */
  readonly deny: readonly DenyRule[];
  /** What a run may send, and as much that it may receive. */
  readonly maxBytes: number;
  /** Requests to what one entry of `allow` names, of one principal. */
  readonly perMinute: number;
};
