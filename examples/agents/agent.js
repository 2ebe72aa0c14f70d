// One agent: an MCP client of the gateway that sends programs, as a model would. `agent.js ROLE URL TOKEN NAME`
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { PROGRAMS } from "./programs.js";

const [role, url, token, name] = process.argv.slice(2);
const client = new Client({ name, version: "1.0.0" });
const headers = { Authorization: `Bearer ${token}` };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

/** What it prints is all that a model would read. */
for (;;) {
  const { _meta, content } = await client.callTool({
    name: "execute_code",
    arguments: { code: PROGRAMS[role], language: "typescript" },
  });
  const { ok, result } = _meta["keyhole/result"];
  if (!ok) throw new Error(content[0].text);
  console.log(JSON.stringify(result));
  if (result.done) break;
}
await client.close();
