import type { FactPlace, UsedTool } from "../../policy/program-facts.ts";

/** Where values can go: from names and calls to names and calls. Nodes are numbers. */
export type FlowGraph = {
  readonly isFull: boolean;
  /** A node of its own. */
  add(): number;
  connect(from: number, to: number): void;
  /** A call of a tool: what it returns, and what it gets. */
  addCall(tool: UsedTool, place: FactPlace): number;
  /** Which tools' results can be in what which others get. */
  flows(max: number): FoundFlow[];
};

export type FoundFlow = { readonly from: UsedTool; readonly to: UsedTool; readonly place: FactPlace };

const MAX_EDGES = 50_000;
const MAX_CALLS = 300;
const MAX_VISITS = 300_000;

/** @param count of nodes that are there from the start */
export function createFlowGraph(count: number): FlowGraph {
  const next = new Map<number, Set<number>>();
  const calls = new Map<number, { readonly tool: UsedTool; readonly place: FactPlace }>();
  let nodes = count;
  let edges = 0;

  function reached(from: number, visits: { left: number }): Set<number> {
    const seen = new Set<number>();
    const open = [from];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const to of next.get(node) ?? []) {
        if (visits.left-- <= 0) return seen;
        if (seen.has(to)) continue;
        seen.add(to);
        // What a tool gets is not what it returns.
        if (!calls.has(to)) open.push(to);
      }
    }
    return seen;
  }

  return {
    get isFull() {
      return edges >= MAX_EDGES;
    },
    add: () => nodes++,
    connect(from, to) {
      if (from === to || edges >= MAX_EDGES) return;
      const known = next.get(from) ?? new Set();
      next.set(from, known);
      if (known.has(to)) return;
      known.add(to);
      edges++;
    },
    addCall(tool, place) {
      const node = nodes++;
      if (calls.size < MAX_CALLS) calls.set(node, { tool, place });
      return node;
    },
    flows(max) {
      const found = new Map<string, FoundFlow>();
      const visits = { left: MAX_VISITS };
      for (const [node, { tool: from }] of calls) {
        for (const target of reached(node, visits)) {
          const to = calls.get(target);
          if (!to || target === node) continue;
          const key = JSON.stringify([from.server, from.tool, to.tool.server, to.tool.tool]);
          if (!found.has(key) && found.size < max) found.set(key, { from, to: to.tool, place: to.place });
        }
      }
      return [...found.values()];
    },
  };
}
