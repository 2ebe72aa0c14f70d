export type RequestId = string | number;

/** What is known of a request that the server has yet to answer. */
export type OpenRequest = { readonly method: string; readonly tool: string | undefined };

/** The requests of one connection that wait for an answer: what answers none of them need not be read. */
export type OpenRequests = {
  add(id: RequestId, method: string, params: unknown): void;
  /** Finds `1` by `"1"` too: some servers answer so. */
  find(id: RequestId): { readonly id: RequestId; readonly request: OpenRequest } | undefined;
  remove(id: RequestId): boolean;
  /** Nobody waits any more, but the server may have answered by then. */
  giveUp(id: RequestId): void;
  /** Whether this is the answer to a request that was given up. It counts once. */
  isLate(id: RequestId): boolean;
};

/** A server that never answers what was given up must not fill the memory. */
const MAX_GIVEN_UP = 100_000;

export function createOpenRequests(): OpenRequests {
  const open = new Map<RequestId, OpenRequest>();
  const givenUp = new Set<RequestId>();
  return {
    add(id, method, params) {
      open.set(id, { method, tool: toolOf(method, params) });
    },
    find(id) {
      const known = open.has(id) ? id : Number(id);
      const request = open.get(known);
      return request && { id: known, request };
    },
    remove: (id) => open.delete(id),
    giveUp(id) {
      if (!open.delete(id)) return;
      givenUp.add(id);
      if (givenUp.size <= MAX_GIVEN_UP) return;
      for (const oldest of givenUp) {
        givenUp.delete(oldest);
        return;
      }
    },
    isLate: (id) => givenUp.delete(id) || givenUp.delete(Number(id)),
  };
}

function toolOf(method: string, params: unknown): string | undefined {
  if (method !== "tools/call" || typeof params !== "object" || params === null) return undefined;
  return "name" in params && typeof params.name === "string" ? params.name : undefined;
}
