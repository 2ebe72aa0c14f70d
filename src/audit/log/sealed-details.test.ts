import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import { tempDir } from "../../../test/fixtures/project.ts";
import type { AuditEvent } from "../event.ts";
import { loadSealKeys, rotateSealKey } from "./seal-keys.ts";
import { createDetailSeal, toUnopened } from "./sealed-details.ts";

const events = [...makeEvents(2)];
const [one, other] = events as [AuditEvent, AuditEvent];
const asLine = (event: object): Record<string, unknown> => JSON.parse(JSON.stringify(event));
const keysOf = (...keys: [Buffer, ...Buffer[]]) => ({ keys });

describe("sealed details", () => {
  it("hide details and error, leave the head, and are opened again as they were", () => {
    const seal = createDetailSeal(keysOf(randomBytes(32)), "log");
    const failed = { ...one, error: "The tool failed" };
    for (const event of [...events, failed]) {
      const line = asLine(seal.seal(event));
      expect(line).not.toHaveProperty("details");
      expect(line).not.toHaveProperty("error");
      expect(line).toMatchObject({ id: event.id, at: event.at, action: event.action });
      expect(seal.open(line)).toEqual({ event: JSON.parse(JSON.stringify(event)) });
    }
    expect(JSON.stringify(seal.seal(failed))).not.toContain("tool failed");
  });

  it("never look the same twice", () => {
    const seal = createDetailSeal(keysOf(randomBytes(32)), "log");
    expect(new Set(Array.from({ length: 600 }, () => JSON.stringify(seal.seal(one)))).size).toBe(600);
  });

  it("leave what the log says of itself as it is", () => {
    const details = { from: 1, to: 2, lost: 3, reason: "the disk was full" };
    const gap: AuditEvent = { id: "e_1", at: 1, action: "audit.gap", outcome: "failed", details };
    const seal = createDetailSeal(keysOf(randomBytes(32)), "log");
    expect(seal.seal(gap)).toEqual(gap);
    expect(seal.open(asLine(gap))).toEqual({ event: gap });
  });

  it("belong to one event of one log", () => {
    const key = randomBytes(32);
    const seal = createDetailSeal(keysOf(key), "log");
    const line = asLine(seal.seal(one));
    const swapped = { ...asLine(seal.seal(other)), sealed: line["sealed"] };
    expect(seal.open(swapped)).toMatchObject({
      event: { id: other.id, details: { sealed: true } },
      problem: "what is sealed was changed, or is of another event",
    });
    expect(createDetailSeal(keysOf(key), "another log").open(line).problem).toContain("was changed");
  });

  it("are not opened when a bit of them was changed", () => {
    const seal = createDetailSeal(keysOf(randomBytes(32)), "log");
    const line = asLine(seal.seal(one));
    const bytes = Buffer.from(String(line["sealed"]), "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const opened = seal.open({ ...line, sealed: changed.toString("base64") });
      expect(opened.event["details"]).toEqual({ sealed: true });
    }
    for (const sealed of ["", "AAAA", 7, null, {}])
      expect(seal.open({ ...line, sealed }).problem).toContain("not whole");
  });

  it("show whoever has no key the head, and why", () => {
    const line = asLine(createDetailSeal(keysOf(randomBytes(32)), "log").seal(one));
    const opened = createDetailSeal(keysOf(randomBytes(32)), "log").open(line);
    expect(opened.problem).toMatch(/^the key [0-9a-f]{16} that sealed it is not here$/);
    expect(toUnopened(line)).toMatchObject({ event: { id: one.id, details: { sealed: true } } });
    expect(toUnopened({ id: "e" })).toEqual({ event: { id: "e" } });
  });
});

describe("the key of a sealed log", () => {
  it("is made once in the user's folder, and what it sealed is opened after a rotation", async () => {
    const keyDir = join(await tempDir(), "home");
    const [first, second] = await Promise.all([
      loadSealKeys({ env: {}, keyDir }),
      loadSealKeys({ env: {}, keyDir }),
    ]);
    expect(first).toEqual(second);
    const line = asLine(createDetailSeal(first, "log").seal(one));
    const id = await rotateSealKey({ env: {}, keyDir });
    const after = createDetailSeal(await loadSealKeys({ env: {}, keyDir }), "log");
    expect(after.key).toBe(id);
    expect(id).not.toBe(createDetailSeal(first, "log").key);
    expect(after.open(line)).toEqual({ event: JSON.parse(JSON.stringify(one)) });
    expect((await readdir(keyDir)).sort()).toEqual([
      "audit-key",
      `audit-key-${createDetailSeal(first, "log").key}`,
    ]);
  });

  it("comes from the environment where that has one, the first of several seals", async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const env = { KEYHOLE_AUDIT_KEY: `${fresh.toString("base64")},${old.toString("hex")}` };
    const loaded = await loadSealKeys({ env });
    expect(loaded).toEqual({ keys: [fresh, old], from: "environment" });
    await expect(rotateSealKey({ env, keyDir: await tempDir() })).rejects.toMatchObject({ code: "usage" });
    await expect(loadSealKeys({ env: { KEYHOLE_AUDIT_KEY: "a password" } })).rejects.toMatchObject({
      code: "config_invalid",
    });
  });

  it("is not used when others can read it", async () => {
    const keyDir = join(await tempDir(), "home");
    await mkdir(keyDir);
    await loadSealKeys({ env: {}, keyDir });
    await chmod(join(keyDir, "audit-key"), 0o644);
    await expect(loadSealKeys({ env: {}, keyDir })).rejects.toThrow("can be read by others");
  });

  it("is this process's own where there is no folder for it", async () => {
    expect(await loadSealKeys({ env: {} })).toEqual(await loadSealKeys({ env: {} }));
    await expect(rotateSealKey({ env: {} })).rejects.toMatchObject({ code: "store_unusable" });
  });
});
