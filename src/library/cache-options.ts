/** Which results of tools are kept and used again, as under `cache` in `keyhole.config`. */
export type CacheConfig = {
  readonly enabled?: boolean;
  /** What they may take: "64MB", or bytes. */
  readonly maxSize?: string | number;
  readonly rules?: readonly CacheRuleConfig[];
};

type CacheRuleConfig = {
  readonly server?: string;
  readonly tool?: string;
  /** How long a result holds; 0: it is not kept. */
  readonly ttlMs?: number;
  /** Of which tools results are forgotten when this one is called. */
  readonly invalidates?: readonly { readonly server?: string; readonly tool?: string }[];
};
