import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listTrail } from "../../../test/fixtures/audit/list-trail.ts";
import { tempDir } from "../../../test/fixtures/project.ts";
import { toLogFolder } from "../../audit/log-place.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { createKnownChanges } from "./known-changes.ts";
import { openKnownFile } from "./known-file.ts";

const IN_FORCE = { source: "s", policy: "p", config: "c" };

it("what was last seen of tools is kept in the user's folder, where no project can put an older one", async () => {
  const place = { projectDir: await tempDir(), userDir: await tempDir(), store: "sqlite" };
  const { trail, events } = listTrail();
  const look = (hash: string) =>
    createKnownChanges(trail, openKnownFile(place), IN_FORCE).look([
      { name: "crm", record: { tools: [{ name: "add", hash }] } } as unknown as CatalogEntry,
    ]);
  for (const hash of ["A", "B", "B", "A", "B"]) await look(hash);
  expect(
    events.filter(({ action }) => action === "tool.changed").map(({ details }) => details),
  ).toMatchObject([
    { change: "listed" },
    { change: "changed", definition: "B", previous: "A" },
    { change: "changed", definition: "A", previous: "B" },
    { change: "changed", definition: "B", previous: "A" },
  ]);
  expect(existsSync(join(toLogFolder(place), "known.json"))).toBe(true);
  expect(existsSync(join(place.projectDir, ".keyhole"))).toBe(false);
});

it("processes that are configured by different things do not change each other's policy back and forth", async () => {
  const place = { projectDir: await tempDir(), userDir: await tempDir(), store: "sqlite" };
  const { trail, events } = listTrail();
  const start = (source: string, policy: string) =>
    createKnownChanges(trail, openKnownFile(place), { source, policy, config: "c" });
  for (let round = 0; round < 3; round++) {
    await start("one", "p1").look([]);
    await start("other", "p2").look([]);
  }
  await start("one", "p3").look([]);
  await start("one", "p1").look([]);
  await start("third", "p2").look([]);
  const told = events.flatMap((event) => (event.action === "policy.changed" ? [event.details] : []));
  expect(told).toEqual([
    { policy: "p1", source: "one" },
    { policy: "p2", source: "other" },
    { policy: "p3", previous: "p1", source: "one" },
    { policy: "p1", previous: "p3", source: "one" },
  ]);
});

it("one that goes on with what was in force when it started changes nothing back", async () => {
  const place = { projectDir: await tempDir(), userDir: await tempDir(), store: "sqlite" };
  const { trail, events } = listTrail();
  const toEntry = (name: string, hash: string) =>
    ({ name, record: { tools: [{ name: "add", hash }] } }) as unknown as CatalogEntry;
  const early = createKnownChanges(trail, openKnownFile(place), IN_FORCE);
  await early.look([toEntry("crm", "A")]);
  const late = createKnownChanges(trail, openKnownFile(place), { ...IN_FORCE, policy: "p2" });
  await late.look([toEntry("crm", "B")]);
  const before = events.length;
  for (let round = 0; round < 3; round++) {
    await early.look([toEntry("crm", "A"), toEntry("mail", "C")]);
    await late.look([toEntry("crm", "B"), toEntry("mail", "C")]);
  }
  expect(events.slice(before)).toMatchObject([{ action: "tool.changed", server: "mail" }]);
});

it("a server that renames thousands of tools is told of in a few events: some by their names, the rest counted", async () => {
  const place = { projectDir: await tempDir(), userDir: await tempDir(), store: "sqlite" };
  const { trail, events } = listTrail();
  const look = (prefix: string) => {
    const tools = Array.from({ length: 3_000 }, (_, at) => ({ name: `${prefix}${at}`, hash: `h${at}` }));
    const entry = { name: "crm", record: { tools } } as unknown as CatalogEntry;
    return createKnownChanges(trail, openKnownFile(place), IN_FORCE).look([entry]);
  };
  await look("a");
  const before = events.length;
  await look("b");
  const told = events.slice(before);
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(told.filter(({ tool }) => tool !== undefined)).toHaveLength(50);
  expect(told.filter(({ tool }) => tool === undefined).map(({ details }) => details)).toEqual([
    { change: "added", tools: 2_950, definition: hash },
    { change: "removed", tools: 3_000, previous: hash },
  ]);
});
