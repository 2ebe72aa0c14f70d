import type { StateDir } from "../store/state-dir.ts";
import type { ProtocolEra } from "./connection.ts";

/** Remembers which protocol era a server speaks, for a day, so that connecting need not ask each time. */
export type EraStore = {
  recall(key: string): Promise<ProtocolEra | undefined>;
  remember(key: string, era: ProtocolEra): Promise<void>;
};

const LIFETIME_MS = 24 * 60 * 60 * 1000;

export function createEraStore(state: StateDir): EraStore {
  const file = (key: string) => `eras/${key}.json`;
  return {
    async recall(key) {
      const stored = await state.readJson(file(key));
      if (typeof stored !== "object" || stored === null || !("at" in stored) || !("era" in stored))
        return undefined;
      if (typeof stored.at !== "number" || Date.now() - stored.at > LIFETIME_MS) return undefined;
      return stored.era === "legacy" || stored.era === "modern" ? stored.era : undefined;
    },
    remember: (key, era) => state.writeJson(file(key), { at: Date.now(), era }),
  };
}
