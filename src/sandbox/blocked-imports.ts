import { builtinModules } from "node:module";

/** Deno has these too; Node 20 does not list them. */
const ALSO = ["sqlite", "test", "test/reporters", "sea", "_http_client", "_tls_common", "_tls_wrap"];

const MESSAGE =
  'throw new TypeError("Cannot import a built-in module of Node: programs have server globals, and fs/promises in ./workspace")';

/**
 * An import map for Deno under which Node's modules are one that throws. Permissions hold without it; with it there is
 * no way round the runner's own file functions, no worker threads, and no second road to stdout.
 */
export function blockedImports(): string {
  const target = `data:text/javascript,${encodeURIComponent(MESSAGE)}`;
  const names = new Set([...builtinModules, ...ALSO].map((name) => `node:${name.replace(/^node:/, "")}`));
  const map = { imports: Object.fromEntries([...names].map((name) => [name, target])) };
  return `data:application/json,${encodeURIComponent(JSON.stringify(map))}`;
}
