import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SANDBOX_LIMITS } from "../limits.ts";
import { toDiskError } from "./disk-error.ts";
import { surveyFolders } from "./survey.ts";

const BLOCK = 4096;

describe("surveyFolders", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "keyhole-test-"));
  });
  // What is too deep for Node is not for this.
  afterEach(() => void execFileSync("rm", ["-rf", dir]));

  it("counts a block at least for each file, folder and link", async () => {
    mkdirSync(join(dir, "a/b"), { recursive: true });
    for (const name of ["a/1", "a/b/2", "3"]) writeFileSync(join(dir, name), "");
    symlinkSync("3", join(dir, "link"));
    expect(await surveyFolders([dir], 1e9)).toMatchObject({
      bytes: 6 * BLOCK,
      entries: 6,
      link: join(dir, "link"),
      wayOut: { path: join(dir, "link"), what: "a link" },
      hasMissed: false,
    });
  });

  it("counts what a file claims to be long, also where it holds nothing", async () => {
    writeFileSync(join(dir, "sparse"), "");
    truncateSync(join(dir, "sparse"), 5e6);
    expect((await surveyFolders([dir], 1e9)).bytes).toBe(5e6);
  });

  it("adds up several folders, and misses one that is not there", async () => {
    const dirs = ["a", "b"].map((name) => join(dir, name));
    for (const one of dirs) {
      mkdirSync(one);
      writeFileSync(join(one, "f"), new Uint8Array(10 * BLOCK));
    }
    expect(await surveyFolders(dirs, 1e9)).toMatchObject({ bytes: 20 * BLOCK, entries: 2 });
    expect(await surveyFolders([...dirs, join(dir, "none")], 1e9)).toMatchObject({ hasMissed: true });
  });

  it("counts names that are no text, and tells of others as they are", async () => {
    const odd = Buffer.concat([Buffer.from(`${dir}/Gr`), Buffer.from([0xf6, 0xdf])]);
    mkdirSync(odd);
    writeFileSync(Buffer.concat([odd, Buffer.from("/\xff", "latin1")]), new Uint8Array(3 * BLOCK));
    writeFileSync(join(dir, "größe"), "");
    symlinkSync("x", join(dir, "späte"));
    const survey = await surveyFolders([dir], 1e9);
    expect(survey).toMatchObject({
      bytes: 6 * BLOCK,
      entries: 4,
      hasMissed: false,
      link: join(dir, "späte"),
    });
    expect(survey.unmeasured).toBeUndefined();
  });

  it("stops when there is too much, and lets others work meanwhile", async () => {
    for (let at = 0; at < 1_500; at++) writeFileSync(join(dir, String(at)), "");
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    expect((await surveyFolders([dir], 1e9)).entries).toBe(1_500);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
    expect((await surveyFolders([dir], 100 * BLOCK)).entries).toBe(101);
  });

  it("takes what is too deep to be measured for over the limit", async () => {
    const name = "d".repeat(200);
    mkdirSync(join(dir, "whole"));
    for (let depth = 0; depth < 30; depth++) {
      mkdirSync(join(dir, "next"));
      renameSync(join(dir, "whole"), join(dir, "next", name));
      renameSync(join(dir, "next"), join(dir, "whole"));
    }
    const survey = await surveyFolders([dir], 1e9);
    expect(survey.unmeasured).toContain(name);
    expect(toDiskError(survey, SANDBOX_LIMITS)).toMatchObject({
      kind: "disk",
      message: expect.stringContaining("too deep"),
    });
  });
});
