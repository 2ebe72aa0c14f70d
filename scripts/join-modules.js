// Node takes half a millisecond for each module that it loads, and a run needs six hundred of them. So the files that
// processes and threads start with are joined with what they import: the same code at the same places, in fewer files.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix, relative, resolve, sep } from "node:path";
import { rolldown } from "rolldown";

const DIST = resolve("dist");
const ENTRIES = [
  "index",
  "cli/main",
  "language/typescript/reader",
  "language/python/reader",
  "mcp/large/answer-worker",
  "privacy/large/scan-worker",
  "engine/privacy/scan-worker",
  "audit/report/verify-worker",
  "audit/spool/drain-worker",
];
/** Every command loads them, two hundred files in all. */
const JOINED_PACKAGES = ["commander", "yaml", "zod"];
/** Stands for a module's own address until it is known in which file it lies. */
const HERE = "__keyhole_module_url__";

rmSync(`${DIST}/joined`, { recursive: true, force: true });
const joined = await rolldown({
  input: Object.fromEntries(ENTRIES.map((name) => [name, `${DIST}/${name}.js`])),
  platform: "node",
  external: (id) => !/^[./]/.test(id) && !JOINED_PACKAGES.includes(id),
  plugins: [
    {
      name: "own-addresses",
      transform(code, id) {
        const path = relative(DIST, id).split(sep).join("/");
        return code.replaceAll("import.meta.url", `${HERE}(${JSON.stringify(path)})`);
      },
      renderChunk(code, { fileName }) {
        return code.replaceAll(new RegExp(`${HERE}\\("([^"]+)"\\)`, "g"), (_, path) => {
          const way = posix.relative(posix.dirname(fileName), path);
          return way === posix.basename(fileName)
            ? "import.meta.url"
            : `new URL(${JSON.stringify(way)}, import.meta.url).href`;
        });
      },
    },
  ],
});
await joined.write({
  dir: DIST,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "joined/[name]-[hash].js",
  comments: false,
});
await joined.close();

const licences = JOINED_PACKAGES.map((name) => {
  const dir = `node_modules/${name}`;
  const file = readdirSync(dir).find((one) => /^licen[cs]e/i.test(one));
  return `${name}\n\n${readFileSync(`${dir}/${file}`, "utf8").trim()}\n`;
});
writeFileSync(`${DIST}/joined/LICENCES.txt`, licences.join(`\n${"-".repeat(80)}\n\n`));
