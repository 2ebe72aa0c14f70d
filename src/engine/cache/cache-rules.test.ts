import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import type { CacheRule } from "../../config/cache/schema.ts";
import { createCacheRules } from "./cache-rules.ts";

const reads = { declared: { readOnly: true } };
const tools = {
  search: toolRecord({ server: "crm", name: "search_people", ...reads }),
  trusted: toolRecord({ server: "crm", name: "get_person", trusted: true, ...reads }),
  odd: toolRecord({ server: "crm", name: "run_query", trusted: true }),
  write: toolRecord({ server: "crm", name: "delete_person" }),
  other: toolRecord({ server: "sheet", name: "get_rows" }),
};

function entryOf(name: string, ...offered: (typeof tools.search)[]): CatalogEntry {
  const record = serverRecord(name, offered);
  return { ...record, record, status: "ready", warnings: [], changes: [] };
}

const catalog = {
  entries: () => [
    entryOf("crm", tools.search, tools.trusted, tools.odd, tools.write),
    entryOf("sheet", tools.other),
  ],
};
const plans = (rules: readonly CacheRule[]) => createCacheRules(rules, catalog);

describe("what the cache does with a tool", () => {
  it("without rules keeps for as long as a trusted server says, and nothing of others", () => {
    const planOf = plans([]);
    expect(planOf(tools.trusted)).toEqual({ kind: "keep" });
    expect(planOf(tools.search)).toEqual({ kind: "pass" });
    expect(planOf(tools.write)).toEqual({ kind: "change", scopes: [{ server: "crm" }] });
    expect(planOf(tools.odd).kind).toBe("change");
  });

  it("keeps what the first rule says that fits and has a time", () => {
    const planOf = plans([
      { tool: "search_*", invalidates: [] },
      { server: "crm", tool: "searchPeople", ttlMs: 5 },
      { tool: "*", ttlMs: 9 },
    ]);
    expect(planOf(tools.search)).toEqual({ kind: "keep", ttlMs: 5 });
    expect(planOf(tools.other)).toEqual({ kind: "keep", ttlMs: 9 });
  });

  it("keeps nothing where a rule says 0, whatever the server says", () => {
    expect(plans([{ tool: "get_*", ttlMs: 0 }])(tools.trusted)).toEqual({ kind: "pass" });
  });

  it("takes a tool that may write for one that is kept by its whole name alone", () => {
    const wide = plans([{ server: "crm", ttlMs: 5 }]);
    expect([wide(tools.odd).kind, wide(tools.write).kind, wide(tools.search).kind]).toEqual([
      "change",
      "change",
      "keep",
    ]);
    expect(plans([{ server: "crm", tool: "run_query", ttlMs: 5 }])(tools.odd)).toEqual({
      kind: "keep",
      ttlMs: 5,
    });
    expect(plans([{ tool: "crm.run_query", ttlMs: 5 }])(tools.odd)).toEqual({ kind: "keep", ttlMs: 5 });
  });

  it("makes invalid what the rule names, of its own server where none is named", () => {
    const scopesOf = (invalidates: NonNullable<CacheRule["invalidates"]>) =>
      plans([{ invalidates }])(tools.write);
    expect(scopesOf([])).toEqual({ kind: "pass" });
    expect(scopesOf([{ tool: "get_*" }])).toEqual({
      kind: "change",
      scopes: [{ server: "crm", tool: "get_person" }],
    });
    expect(scopesOf([{}, { server: "sheet" }])).toEqual({
      kind: "change",
      scopes: [{ server: "crm" }, { server: "sheet" }],
    });
  });
});
