// Which functions of a repository create something, and which file is the longest of those? All files are read, none by the model.
// `node examples/components.js` after `npm ci`, on this repository's own src/.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { createKeyhole } from "keyhole-mcp";
import { tell } from "./start.js";

const { resolve } = createRequire(import.meta.url);
const source = fileURLToPath(new URL("../src/search", import.meta.url));
const keyhole = await createKeyhole({
  servers: {
    files: {
      command: process.execPath,
      args: [resolve("@modelcontextprotocol/server-filesystem/dist/index.js"), source],
      trusted: true,
    },
  },
});
try {
  tell(
    await keyhole.run(`
      const root = ${JSON.stringify(source)};
      const { content } = await files.searchFiles({ path: root, pattern: "**/*.ts" });
      const paths = content.split("\\n").filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
      const found = await Promise.all(paths.map(async (path) => {
        const { content: text } = await files.readTextFile({ path });
        const names = [...text.matchAll(/^export (?:async )?function (create\\w+)/gm)].map(([, name]) => name);
        return { file: path.slice(root.length + 1), lines: text.split("\\n").length, names };
      }));
      const components = found.filter(({ names }) => names.length > 0).sort((a, b) => b.lines - a.lines);
      console.log(paths.length, "files read,", components.length, "create something");
      return components.slice(0, 5);
    `),
  );
} finally {
  await keyhole.close();
}
