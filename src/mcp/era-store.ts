import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { StateDir } from "../state/state-dir.ts";

/** Remembers which protocol era a server speaks, for a day, so that connecting need not ask each time. */
export type EraStore = {
  recall(key: string): Promise<PriorDiscovery | undefined>;
  remember(key: string, verdict: PriorDiscovery): Promise<void>;
  forget(key: string): Promise<void>;
};

const LIFETIME_MS = 24 * 60 * 60 * 1000;

export function createEraStore(state: StateDir): EraStore {
  const file = (key: string) => `eras/${key}.json`;
  return {
    async recall(key) {
      const stored = await state.readJson(file(key));
      if (typeof stored !== "object" || stored === null || !("at" in stored) || !("verdict" in stored))
        return undefined;
      if (typeof stored.at !== "number" || Date.now() - stored.at > LIFETIME_MS) return undefined;
      return isVerdict(stored.verdict) ? stored.verdict : undefined;
    },
    remember: (key, verdict) => state.writeJson(file(key), { at: Date.now(), verdict }),
    forget: (key) => state.writeJson(file(key), {}),
  };
}

/** Only the outline: the SDK checks a modern verdict before it relies on it. */
function isVerdict(value: unknown): value is PriorDiscovery {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  return value.kind === "legacy" || (value.kind === "modern" && "discover" in value);
}
