import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { userCacheDir } from "./user-cache.ts";

it("is where XDG_CACHE_HOME says, and the usual place where that is no whole path", () => {
  const usual = join(homedir(), ".cache", "keyhole");
  expect(userCacheDir({ XDG_CACHE_HOME: "/caches" }, "linux")).toBe("/caches/keyhole");
  for (const none of [undefined, "", "caches", "./caches", "../caches", "~/caches"])
    expect(userCacheDir(none === undefined ? {} : { XDG_CACHE_HOME: none }, "linux")).toBe(usual);
});

it("is among the user's programs' data on Windows", () => {
  const env = { XDG_CACHE_HOME: "/caches" };
  expect(userCacheDir(env, "win32")).toBe(join(homedir(), "AppData", "Local", "keyhole"));
  expect(userCacheDir({ ...env, LOCALAPPDATA: "/data" }, "win32")).toBe("/data/keyhole");
});
