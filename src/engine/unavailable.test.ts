import { expect, it } from "vitest";
import type { CatalogEntry } from "../catalog/entry.ts";
import { KeyholeError } from "../errors.ts";
import { toUnavailable } from "./unavailable.ts";

function named(name: string) {
  return { identifiers: { typescript: name, python: name }, folder: name };
}

function entry(name: string, parts: Partial<CatalogEntry>): CatalogEntry {
  return { name, ...named(name), status: "ready", warnings: [], changes: [], ...parts };
}

it("says why a server has no functions, and nothing of one that has", () => {
  const record = { name: "stale", ...named("stale"), tools: [] };
  const error = new KeyholeError("server_unreachable", "Cannot start\u001b[31m\nit");
  const found = toUnavailable([
    entry("ready", { record }),
    entry("stale", { record, status: "failed", error }),
    entry("down", { status: "failed", error }),
    entry("young", { status: "unread" }),
    entry("off", { status: "disabled" }),
  ]);
  expect([...found]).toEqual([
    ["down", "failed: Cannot start it"],
    ["young", "is starting; try again soon"],
    ["off", "is disabled in the configuration"],
  ]);
});
