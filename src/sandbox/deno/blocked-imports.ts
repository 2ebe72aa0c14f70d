import { builtinModules } from "node:module";
import { MODULE_NAMES } from "../../world/modules.ts";

/** Deno has these too; Node 20 does not list them. */
const ALSO = ["sqlite", "test", "test/reporters", "sea", "_http_client", "_tls_common", "_tls_wrap"];

/** What our own code has of Node and programs have not. */
const INNER = ["tls"];

const MESSAGE =
  'throw new TypeError("Cannot import a module by a computed name: write import or require with the name of the module")';

/** A scheme that there is not: what is mapped to it cannot be imported, and it is named in the error. */
const NO_FILES = "programs-import-no-files:/";

/**
 * An import map for Deno under which Node's modules are one that throws, and files are nowhere. Permissions hold without
 * it; with it there is no way round the runner's own file functions, no worker threads, and no second road to stdout.
 * One file of the runner's is excepted: what programs may have of Node goes through it, before they run.
 * @param dirUrl of the runner's files, with a slash at its end
 * @param own what the runner imports by another name
 */
export function blockedImports(dirUrl: string, own: { readonly [name: string]: string } = {}): string {
  const target = `data:text/javascript,${encodeURIComponent(MESSAGE)}`;
  const names = new Set([...builtinModules, ...ALSO].map((name) => `node:${name.replace(/^node:/, "")}`));
  const allowed = [...MODULE_NAMES, ...INNER].map((name) => `node:${name}`);
  const map = {
    imports: {
      ...Object.fromEntries([...names].map((name) => [name, target])),
      "file:///": NO_FILES,
      [dirUrl]: dirUrl,
      ...own,
    },
    scopes: { [`${dirUrl}built-in-loaders.js`]: Object.fromEntries(allowed.map((name) => [name, name])) },
  };
  return `data:application/json,${encodeURIComponent(JSON.stringify(map))}`;
}
