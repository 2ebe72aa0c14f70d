import { loadMasterKey } from "../../privacy/vault/master-key.ts";
import { createResultCache } from "../../workspace/result-cache/result-cache.ts";
import type { CallCache } from "../call/cache.ts";
import { type Project, userDir } from "../project.ts";
import { createCacheRules } from "./cache-rules.ts";

export type CacheOptions = {
  /** Over what the config says: false sends every call. */
  readonly isOn?: boolean | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
};

/** The project's cache of results, as its config has it. Nothing is opened or made before a result is to be kept. */
export function openCache(project: Project, { isOn = true, onNotice }: CacheOptions): CallCache {
  const { state, config, catalog, env, homeDir, isKept } = project;
  const { enabled = true, maxSize, rules = [] } = config.config.cache ?? {};
  const keyDir = isKept ? userDir({ homeDir, env }) : undefined;
  const results = createResultCache({
    state,
    key: async () => (await loadMasterKey({ env, keyDir })).key,
    ...(maxSize !== undefined && { maxBytes: maxSize }),
    ...(onNotice && { onNotice }),
  });
  project.closeLast(results.close);
  return { results, planOf: createCacheRules(rules, catalog), isOn: isOn && enabled };
}
