import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../test/fixtures/project.ts";
import { loadMasterKey } from "./master-key.ts";

let dir: string;
let keyDir: string;
let commands: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  dir = await tempDir();
  keyDir = join(dir, "home/keyhole");
  commands = join(dir, "bin");
  await mkdir(commands);
  env = { PATH: `${commands}:/usr/bin:/bin`, STORE: join(dir, "kept"), CALLS: join(dir, "calls") };
});

/** A command of the system's, as far as it is used: what it keeps is in a file. */
async function fake(name: "secret-tool" | "security", script: string) {
  const path = join(commands, name);
  await writeFile(path, `#!/bin/sh\necho "$*" >> "$CALLS"\n${script}\n`);
  await chmod(path, 0o755);
}

const SECRET_TOOL =
  'case "$1" in lookup) cat "$STORE" 2>/dev/null || exit 1 ;; store) cat > "$STORE" ;; esac';
const SECURITY = `case "$1" in
find-generic-password) cat "$STORE" 2>/dev/null || exit 44 ;;
-i) read -r line; echo "\${line##* -w }" > "$STORE" ;;
esac`;

const load = (platform: NodeJS.Platform = "win32") => loadMasterKey({ env, keyDir, platform });

describe("the vault's key", () => {
  it("is the one in the environment, in either spelling", async () => {
    const key = randomBytes(32);
    for (const text of [key.toString("hex"), key.toString("base64"), key.toString("base64url")]) {
      env["KEYHOLE_VAULT_KEY"] = text;
      expect(await load()).toEqual({ key, from: "environment" });
    }
    env["KEYHOLE_VAULT_KEY"] = "a password";
    await expect(load()).rejects.toMatchObject({ code: "config_invalid" });
    expect(await readdir(dir)).not.toContain("home");
  });

  it("is made once, in a file that nobody else can read", async () => {
    const [one, two] = await Promise.all([load(), load()]);
    expect(one).toEqual(two);
    expect(one.from).toBe("file");
    expect(await load()).toEqual(one);
    const file = join(keyDir, "vault-key");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file)).toEqual(one.key);
    expect(await readdir(keyDir)).toEqual(["vault-key"]);
  });

  it("is not used, nor made anew, when others can read it or it is no key", async () => {
    await load();
    const file = join(keyDir, "vault-key");
    const before = await readFile(file);
    await chmod(file, 0o640);
    await expect(load()).rejects.toThrow("can be read by others");
    expect(await readFile(file)).toEqual(before);
    await chmod(file, 0o600);
    await writeFile(file, "short");
    await expect(load()).rejects.toThrow("is not one that Keyhole has made");
  });

  it.each([
    ["linux", "secret-tool", SECRET_TOOL],
    ["darwin", "security", SECURITY],
  ] as const)(
    "is kept by the keychain on %s, and is no argument of a command",
    async (platform, name, script) => {
      await fake(name, script);
      const one = await load(platform);
      expect(one.from).toBe("keychain");
      expect(await load(platform)).toEqual(one);
      expect(await readdir(keyDir)).toEqual([]);
      const calls = await readFile(join(dir, "calls"), "utf8");
      expect(calls).not.toContain(one.key.toString("base64"));
      expect(calls.trim().split("\n")).toHaveLength(4);
    },
  );

  it.each([
    ["there is no command", undefined],
    ["it fails", "exit 1"],
    ["it says that it has kept it, and has not", 'case "$1" in lookup) exit 1 ;; esac'],
    ["it has something else", 'echo "not a key"'],
  ])("is in a file when the keychain can't keep it: %s", async (_, script) => {
    if (script !== undefined) await fake("secret-tool", script);
    const one = await load("linux");
    expect(one.from).toBe("file");
    expect(await load("linux")).toEqual(one);
  });

  it("is this process's own where there is no folder for it", async () => {
    const one = await loadMasterKey({ env });
    expect(one.from).toBe("process");
    expect(await loadMasterKey({ env })).toEqual(one);
  });
});
