import { expect, test } from "vitest";
import { DEFAULT_CONFIG } from "./defaults.ts";
import { configSchema } from "./schema.ts";

test("an empty config is the default that holds without a file", () => {
  expect(configSchema.parse({})).toEqual(DEFAULT_CONFIG);
});

test("limits are read into bytes and cores, each with its own default", () => {
  const { resourceLimits } = configSchema.parse({ resourceLimits: { memory: "1.5GB", cpu: 2 } });
  expect(resourceLimits).toEqual({ memoryBytes: 1.5 * 1024 ** 3, cpuCores: 2, diskBytes: 1024 ** 3 });
});

test("sections may be there, empty", () => {
  expect(configSchema.safeParse({ skills: {}, permissions: {}, network: {}, audit: {} }).success).toBe(true);
});
