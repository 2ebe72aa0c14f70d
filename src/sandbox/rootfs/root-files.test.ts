import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectPython } from "./python-files.ts";
import { collectRootFiles, type RootFiles } from "./root-files.ts";
import { rootStamp } from "./root-stamp.ts";
import { tarOf } from "./tar.ts";
import { writeRoot } from "./write-root.ts";

const isPossible =
  process.platform === "linux" && ["/bin/busybox", "/usr/bin/busybox"].some((file) => existsSync(file));

describe.skipIf(!isPossible)("a guest's root file system", () => {
  let dir: string;
  let files: RootFiles;
  let guests: readonly [{ name: string; runtime: "deno"; runner: string }];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
    guests = [{ name: "small", runtime: "deno", runner: join(dir, "guest/runner.js") }];
    await mkdir(join(dir, "guest"));
    await writeFile(guests[0].runner, "1");
    files = await collectRootFiles({ guests });
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it("is a tar archive of the hash it says, and a folder with the same in it", async () => {
    const [archive, unpacked, written] = ["root.tar", "unpacked", "written"].map((name) => join(dir, name));
    if (!archive || !unpacked || !written) throw new Error("There are three");
    await pipeline(tarOf(files), createWriteStream(archive));
    const hash = createHash("sha256");
    for await (const piece of createReadStream(archive)) hash.update(piece);
    expect(hash.digest("hex")).toBe(files.hash);

    await Promise.all([mkdir(unpacked), mkdir(written)]);
    execFileSync("tar", ["-C", unpacked, "-xpf", archive]);
    await writeRoot(files, written);
    expect(execFileSync("diff", ["-r", "--no-dereference", unpacked, written]).toString()).toBe("");
    for (const place of ["tmp", "keyhole/deno", "etc/passwd", "keyhole/guest/small/runner.js"]) {
      const [one, other] = await Promise.all([stat(join(unpacked, place)), stat(join(written, place))]);
      expect([one.mode, one.mtimeMs]).toEqual([other.mode, other.mtimeMs]);
    }
    expect(readdirSync(join(written, "keyhole/guest"))).toEqual(["small"]);
  });

  it("has another hash and another stamp when a guest changes", async () => {
    const stamp = await rootStamp({ guests });
    expect(await rootStamp({ guests })).toBe(stamp);
    await writeFile(guests[0].runner, "22");
    expect(await rootStamp({ guests })).not.toBe(stamp);
    expect((await collectRootFiles({ guests })).hash).not.toBe(files.hash);
  });

  it("takes CPython without tests, and with what it has compiled", async () => {
    const python = await collectPython();
    if (!python) return;
    const paths = python.files.map(({ path }) => path);
    expect(paths).toContain("/keyhole/python/bin/python3");
    expect(paths.filter((path) => path.endsWith("/asyncio/events.py"))).toHaveLength(1);
    expect(paths.filter((path) => /\/(tests?|idlelib|tkinter|site-packages)\//.test(path))).toEqual([]);
    expect(await collectPython(["no-such-python"])).toBeUndefined();
  });
});
