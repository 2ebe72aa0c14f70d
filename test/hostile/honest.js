// `honest.js URL`: one session that runs a small program and searches, again and again, and writes a line for each answer.
// A process of its own, so that what an attacker receives does not slow down this clock.
import { setTimeout as delay } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.HONEST_TOKEN}` };
const client = new Client({ name: "honest", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
await Promise.all([repeat("program", runProgram, 40), repeat("search", search, 40)]);

async function repeat(what, ask, pauseMs) {
  for (let n = 1; ; n++) {
    const startedAt = Date.now();
    let problem;
    try {
      problem = await ask(n);
    } catch (error) {
      problem = String(error);
    }
    process.stdout.write(`${JSON.stringify({ what, startedAt, endedAt: Date.now(), problem })}\n`);
    await delay(pauseMs);
  }
}

async function runProgram(n) {
  const code = `const { sum } = await math.addUp({ numbers: [1, ${n % 50}] });\nreturn { sum };`;
  const answer = await call("execute_code", { code });
  const sum = answer._meta?.["keyhole/result"]?.result?.sum;
  return sum === 1 + (n % 50) ? undefined : answer.content[0]?.text.slice(0, 300);
}

async function search() {
  const answer = await call("search_tools", { query: "add up numbers" });
  const first = answer._meta?.["keyhole/result"]?.tools?.[0]?.tool;
  return first === "add_up" ? undefined : answer.content[0]?.text.slice(0, 300);
}

function call(name, args) {
  return client.callTool({ name, arguments: args }, { timeout: 60_000 });
}
