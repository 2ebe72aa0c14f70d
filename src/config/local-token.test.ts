import { chmod, lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../test/fixtures/project.ts";
import { loadHttpAccess } from "./http-access.ts";
import { loadLocalToken, readLocalToken } from "./local-token.ts";
import { type Places, toPlaces } from "./places.ts";

let places: Places;
let file: string;

beforeEach(async () => {
  const homeDir = await tempDir();
  places = toPlaces({ projectDir: homeDir, homeDir, env: {}, platform: "linux" });
  file = join(homeDir, ".config", "keyhole", "token");
});

const OTHER = "a-token-of-somebody-else";

async function plant(content = OTHER, mode = 0o600): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, content);
  await chmod(file, mode);
}

describe("the local token", () => {
  it("is made once, for this user's eyes, and kept", async () => {
    expect(await readLocalToken(places)).toBeUndefined();
    const made = await loadLocalToken(places);
    expect(made.file).toBe(file);
    expect(made.token).toMatch(/^[\w-]{43}$/);
    expect((await lstat(file)).mode & 0o777).toBe(0o600);
    expect((await lstat(dirname(file))).mode & 0o777).toBe(0o700);
    expect(await loadLocalToken(places)).toEqual(made);
    expect(await readLocalToken(places)).toBe(made.token);
  });

  it("is one and the same for many that start at once, and nothing else is left behind", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => loadLocalToken(places)));
    expect(new Set(made.map(({ token }) => token)).size).toBe(1);
    expect(await readdir(dirname(file))).toEqual(["token"]);
    expect((await readFile(file, "utf8")).trim()).toBe(made[0]?.token);
  });

  it.each([0o644, 0o640, 0o602, 0o660])("is refused when its mode is %o", async (mode) => {
    await plant(OTHER, mode);
    await expect(loadLocalToken(places)).rejects.toMatchObject({
      code: "file_conflict",
      message: expect.stringContaining("0600"),
    });
  });

  it.each(["token", "."])(
    "is refused when %s is a link, and what it points to stays as it is",
    async (what) => {
      const elsewhere = join(places.homeDir, "precious");
      await mkdir(elsewhere, { mode: 0o700 });
      await writeFile(join(elsewhere, "token"), OTHER, { mode: 0o600 });
      const path = join(dirname(file), what);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await symlink(what === "." ? elsewhere : join(elsewhere, "token"), path);
      await expect(loadLocalToken(places)).rejects.toMatchObject({
        message: expect.stringContaining("is a link"),
      });
      expect(await readFile(join(elsewhere, "token"), "utf8")).toBe(OTHER);
    },
  );

  it("is refused through a link that leads nowhere: it would be made there", async () => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await symlink(join(places.homeDir, "made-elsewhere"), file);
    await expect(loadLocalToken(places)).rejects.toMatchObject({ code: "file_conflict" });
    expect(await readdir(places.homeDir)).not.toContain("made-elsewhere");
  });

  it("is refused where others can write its folder", async () => {
    await plant();
    await chmod(dirname(file), 0o777);
    await expect(readLocalToken(places)).rejects.toMatchObject({ message: expect.stringContaining("0700") });
  });

  it.each(["", "short", "x".repeat(5_000), "two words of some length"])(
    "is refused when the file holds %j",
    async (content) => {
      await plant(content);
      await expect(loadLocalToken(places)).rejects.toMatchObject({ code: "file_conflict" });
    },
  );

  it("is refused when it is a folder", async () => {
    await mkdir(file, { recursive: true, mode: 0o700 });
    await expect(loadLocalToken(places)).rejects.toMatchObject({ code: "file_conflict" });
  });
});

describe("access over HTTP", () => {
  it("is by the local token where nothing else is said", async () => {
    const { tokens, isOpen, local } = await loadHttpAccess(undefined, places);
    expect(isOpen).toBe(false);
    expect(local?.file).toBe(file);
    expect(tokens).toEqual([{ principal: "local", token: local?.token }]);
  });

  it("is by KEYHOLE_TOKEN where it is set: then none is made, and none is there to be shown", async () => {
    const env = { KEYHOLE_TOKEN: "the-environments-own", ALICE_TOKEN: "alice-has-a-long-one" };
    const access = await loadHttpAccess({ tokens: { alice: "${ALICE_TOKEN}" } }, { ...places, env });
    expect(access).toEqual({
      approvers: [],
      isOpen: false,
      tokens: [
        { principal: "local", token: "the-environments-own" },
        { principal: "alice", token: "alice-has-a-long-one" },
      ],
    });
    expect(await readLocalToken(places)).toBeUndefined();
  });

  it("is open only where the config says so", async () => {
    expect(await loadHttpAccess({ open: true }, places)).toEqual({ isOpen: true, tokens: [], approvers: [] });
  });

  it("is refused when two principals could not be told apart, or a variable is not set", async () => {
    const same = { tokens: { alice: OTHER, bob: OTHER } };
    await expect(loadHttpAccess(same, places)).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.not.stringContaining(OTHER),
    });
    await expect(loadHttpAccess({ tokens: { alice: "${NOT_SET}" } }, places)).rejects.toMatchObject({
      code: "variable_unset",
    });
  });
});
