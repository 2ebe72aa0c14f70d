import { expect, it } from "vitest";

it("runs tests on a cache of their own, and knows the user's", () => {
  const { XDG_CACHE_HOME, KEYHOLE_TEST_CACHE, KEYHOLE_TEST_USERS_CACHE } = process.env;
  expect(XDG_CACHE_HOME).toBe(KEYHOLE_TEST_CACHE);
  expect(KEYHOLE_TEST_USERS_CACHE).not.toBe(KEYHOLE_TEST_CACHE);
});
