import { expect, it } from "vitest";
import { toConfigJsonSchema } from "../config/schema.ts";
import type { ServerConfig } from "./keyhole.ts";

/** Every key of the type, which the compiler demands to be all. */
const KEYS: { readonly [Key in keyof Required<ServerConfig>]: true } = {
  type: true,
  command: true,
  args: true,
  env: true,
  envFile: true,
  inheritEnv: true,
  cwd: true,
  url: true,
  headers: true,
  bearerToken: true,
  from: true,
  name: true,
  enabled: true,
  trusted: true,
  connectTimeoutMs: true,
  timeoutMs: true,
  maxConcurrency: true,
  maxMessageBytes: true,
  maxMessageValues: true,
  parseText: true,
  protocol: true,
  includeTools: true,
  excludeTools: true,
};

it("lets a server given as a value have the keys of one in the configuration", () => {
  const schema = JSON.stringify(toConfigJsonSchema().properties?.["servers"]);
  const { properties } = findProperties(JSON.parse(schema));
  expect(Object.keys(KEYS).sort()).toEqual(Object.keys(properties).sort());
});

/** The schema of an entry, wherever a choice has put it. */
function findProperties(schema: object): { properties: object } {
  if ("properties" in schema && typeof schema.properties === "object" && schema.properties !== null)
    return { properties: schema.properties };
  for (const inside of Object.values(schema)) {
    if (typeof inside !== "object" || inside === null) continue;
    const found = findProperties(inside);
    if (Object.keys(found.properties).length > 0) return found;
  }
  return { properties: {} };
}
