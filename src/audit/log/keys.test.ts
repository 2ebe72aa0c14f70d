import { generateKeyPairSync } from "node:crypto";
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../test/fixtures/project.ts";
import { isSignedBy } from "../../store/ed25519.ts";
import { isEndorsedBy } from "./key-rows.ts";
import { openAuditKeys, SIGNING_KEY_VARIABLE } from "./keys.ts";

let userDir: string;

beforeEach(async () => {
  userDir = await tempDir();
});

const open = (env: NodeJS.ProcessEnv = {}) => openAuditKeys({ userDir, env });
const file = () => join(userDir, "audit/keys/signing-key");
const text = Buffer.from("something");

describe("the keys that sign", () => {
  it("are made at the first need, one for all who need one at once, for their user alone", async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, () => open().current()));
    expect(new Set(keys.map(({ row }) => row.key)).size).toBe(1);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await open().known()).map(({ key }) => key)).toEqual([keys[0]?.row.key]);
    const [key] = keys;
    expect(key && isSignedBy(key.row.publicKey, text, key.sign(text))).toBe(true);
    expect(key && isEndorsedBy(key.row, key.row)).toBe(true);
    expect((await readdir(join(userDir, "audit/keys"))).sort()).toEqual(["public", "signing-key"]);
  });

  it("are replaced by ones that they endorse, also for processes that have them open", async () => {
    const [one, other] = [open(), open()];
    const first = await other.current();
    const before = await readFile(file());
    const row = await one.rotate();
    expect(isEndorsedBy(row, first.row)).toBe(true);
    expect((await other.current()).row).toEqual(row);
    expect((await readFile(file())).equals(before)).toBe(false);
    expect((await open().known()).map(({ key }) => key)).toEqual([first.row.key, row.key]);
  });

  it("are replaced one after the other, where several ask for it at once", async () => {
    await open().current();
    const rows = await Promise.all([open(), open(), open()].map((keys) => keys.rotate()));
    const known = await open().known();
    expect(new Set(rows.map(({ previous }) => previous)).size).toBe(3);
    expect(known).toHaveLength(4);
  });

  it("can come from the environment, and are known here then; they are not replaced here", async () => {
    const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
    for (const given of [pem, pem.trim().replaceAll("\n", "\\n")]) {
      const keys = open({ [SIGNING_KEY_VARIABLE]: given });
      const { row, sign } = await keys.current();
      expect(isSignedBy(row.publicKey, text, sign(text))).toBe(true);
      expect((await open().known()).map(({ key }) => key)).toEqual([row.key]);
      await expect(keys.rotate()).rejects.toThrow("is replaced there");
    }
  });

  it("are refused with what to do, where they are no keys or others can read them", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({
      format: "pem",
      type: "pkcs8",
    });
    for (const given of ["x", rsa.toString()])
      await expect(open({ [SIGNING_KEY_VARIABLE]: given }).current()).rejects.toThrow(
        "is not a private Ed25519 key",
      );
    await open().current();
    await chmod(file(), 0o644);
    await expect(open().current()).rejects.toThrow("can be read by others");
    await chmod(file(), 0o600);
    await writeFile(file(), "short");
    await expect(open().current()).rejects.toThrow("is not one that Keyhole has made");
  });

  it("are made known again where what is known of them is gone or cut off", async () => {
    const { row } = await open().current();
    const path = join(userDir, "audit/keys/public", `${row.key}.json`);
    for (const spoil of [() => rm(path), () => writeFile(path, '{"key":"')]) {
      await spoil();
      const again = await open().current();
      expect(again.row.publicKey).toEqual(row.publicKey);
      expect((await open().known()).map(({ key }) => key)).toEqual([row.key]);
    }
  });
});
