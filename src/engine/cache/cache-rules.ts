import type { Catalog } from "../../catalog/catalog.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import type { CacheRule } from "../../config/cache/schema.ts";
import { toToolPattern } from "../../policy/permissions/compile-rule.ts";
import { toNamePattern } from "../../policy/permissions/name-pattern.ts";
import { toEffect } from "../../policy/permissions/verbs.ts";
import type { CacheScope } from "../../workspace/result-cache/cache-changes.ts";

/** What the cache does with calls of a tool. */
export type CachePlan =
  /** Its results are kept: for as long as the user says, and the server; without `ttlMs` the server alone says so. */
  | { readonly kind: "keep"; readonly ttlMs?: number }
  /** It may change what these return. */
  | { readonly kind: "change"; readonly scopes: readonly CacheScope[] }
  /** Neither. */
  | { readonly kind: "pass" };

const PASS: CachePlan = { kind: "pass" };

/**
 * Kept is what a rule of the user's says, and what a trusted server says of a tool that it declares to be read-only. Where neither
 * does, nothing is: nobody is surprised by what was true a minute ago.
 */
export function createCacheRules(
  rules: readonly CacheRule[],
  catalog: Pick<Catalog, "entries">,
): (tool: ToolRecord) => CachePlan {
  const compiled = rules.map(compile);
  const plans = new WeakMap<ToolRecord, CachePlan>();

  function toPlan(tool: ToolRecord): CachePlan {
    const effect = toEffect(tool);
    const fitting = compiled.filter(({ fits }) => fits(tool));
    const timed = fitting.find(
      ({ rule, isWhole }) => rule.ttlMs !== undefined && (isWhole || effect === "reads"),
    );
    const { ttlMs } = timed?.rule ?? {};
    if (ttlMs !== undefined && ttlMs > 0) return { kind: "keep", ttlMs };
    if (effect !== "reads") {
      const { invalidates } = fitting.find(({ rule }) => rule.invalidates !== undefined)?.rule ?? {};
      const scopes = invalidates === undefined ? [{ server: tool.server }] : toScopes(tool, invalidates);
      return scopes.length === 0 ? PASS : { kind: "change", scopes };
    }
    return ttlMs === undefined && tool.trusted && tool.declared?.readOnly === true ? { kind: "keep" } : PASS;
  }

  function toScopes(tool: ToolRecord, invalidates: NonNullable<CacheRule["invalidates"]>): CacheScope[] {
    return invalidates.flatMap((meant) => {
      const isServer = toNamePattern(meant.server ?? tool.server, "loose");
      const servers = catalog.entries().filter(({ name }) => isServer([name]));
      if (meant.tool === undefined) return servers.map(({ name }) => ({ server: name }));
      const isTool = toToolPattern(meant.tool, false, "loose");
      const tools = servers.flatMap(({ record }) => record?.tools ?? []).filter(isTool);
      return tools.map(({ server, name }) => ({ server, tool: name }));
    });
  }

  return (tool) => {
    const known = plans.get(tool);
    if (known !== undefined) return known;
    const plan = toPlan(tool);
    // What it names of other servers may not be read yet.
    if (plan.kind !== "change" || compiled.length === 0) plans.set(tool, plan);
    return plan;
  };
}

type CompiledRule = {
  readonly rule: CacheRule;
  /** It names the tool as a whole: then the user knows what it does, whatever it is called. */
  readonly isWhole: boolean;
  fits(tool: ToolRecord): boolean;
};

function compile(rule: CacheRule): CompiledRule {
  const { server, tool } = rule;
  // A rule that keeps must fit; one that makes invalid holds for what could be meant.
  const strictness = rule.ttlMs === undefined ? "loose" : "exact";
  const isServer = server === undefined ? () => true : toNamePattern(server, strictness);
  const isTool = tool === undefined ? () => true : toToolPattern(tool, server === undefined, strictness);
  return {
    rule,
    isWhole: tool !== undefined && !tool.includes("*"),
    fits: (record) => isServer([record.server]) && isTool(record),
  };
}
