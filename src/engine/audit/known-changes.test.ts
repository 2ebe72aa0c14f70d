import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listTrail } from "../../../test/fixtures/audit/list-trail.ts";
import { tempDir } from "../../../test/fixtures/project.ts";
import { toLogFolder } from "../../audit/log-place.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { createKnownChanges } from "./known-changes.ts";
import { openKnownFile } from "./known-file.ts";

const IN_FORCE = { policy: "p", config: "c" };

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
