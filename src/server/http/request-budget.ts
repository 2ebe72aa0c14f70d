export type RequestBudget = {
  /** Room for one more request of a principal, with so many bytes; undefined when it has enough under way. */
  begin(principal: string, bytes: number): RequestShare | undefined;
};

export type RequestShare = {
  /** What it takes in truth. */
  setBytes(bytes: number): void;
  end(): void;
};

export type RequestBudgetOptions = { readonly maxRequests: number; readonly maxBytes: number };

/** What each principal may have under way: requests, and bytes of their bodies. */
export function createRequestBudget({ maxRequests, maxBytes }: RequestBudgetOptions): RequestBudget {
  const underWay = new Map<string, { requests: number; bytes: number }>();
  return {
    begin(principal, announced) {
      const own = underWay.get(principal) ?? { requests: 0, bytes: 0 };
      let bytes = announced;
      if (own.requests >= maxRequests || own.bytes + bytes > maxBytes) return undefined;
      own.requests++;
      own.bytes += bytes;
      underWay.set(principal, own);
      return {
        setBytes(actual) {
          own.bytes += actual - bytes;
          bytes = actual;
        },
        end() {
          own.requests--;
          own.bytes -= bytes;
          if (own.requests === 0) underWay.delete(principal);
        },
      };
    },
  };
}
