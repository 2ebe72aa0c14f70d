import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let cache = "";

/**
 * Risky programs run in the strongest tier there is. Tests find the same on every machine: no daemon and no template of the user's;
 * those about a tier bring their own.
 */
export function setup(): void {
  // Every project of the suite comes by here: the second would take the first one's cache for the user's.
  if (process.env["KEYHOLE_TEST_CACHE"] !== undefined) return;
  cache = mkdtempSync(join(tmpdir(), "keyhole-test-cache-"));
  const users = process.env["XDG_CACHE_HOME"];
  if (users !== undefined) process.env["KEYHOLE_TEST_USERS_CACHE"] = users;
  process.env["KEYHOLE_TEST_CACHE"] = cache;
  process.env["XDG_CACHE_HOME"] = cache;
  const daemon = process.env["DOCKER_HOST"];
  if (daemon !== undefined) process.env["KEYHOLE_TEST_USERS_DOCKER"] = daemon;
  process.env["DOCKER_HOST"] = `unix://${cache}/no-daemon`;
}

export function teardown(): void {
  if (cache !== "") rmSync(cache, { recursive: true, force: true });
}
