// Servers given as values: no file is read, and nothing stays behind. `node examples/servers.js` after `npm ci`.
import { createRequire } from "node:module";
import { createKeyhole } from "keyhole-mcp";

const { resolve } = createRequire(import.meta.url);
const keyhole = await createKeyhole({
  servers: {
    everything: {
      command: process.execPath,
      args: [resolve("@modelcontextprotocol/server-everything/dist/index.js")],
    },
  },
  limits: { timeoutMs: 10_000 },
});
try {
  for (const { function: name, description } of keyhole.tools()) console.log(`${name}: ${description}`);
  const { ok, text } = await keyhole.run("return everything.getSum({ a: 20, b: 22 })", {
    limits: { calls: 1, outputTokens: 200 },
    onEvent: (event) => console.log(event.kind),
  });
  console.log(ok, text);
} finally {
  await keyhole.close();
}
