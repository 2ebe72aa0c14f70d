import { afterEach, describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { EngineEvent } from "../../src/engine/events/event.ts";
import { readRun } from "../../src/engine/runs/runs-of-project.ts";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { createSession } from "../../src/session.ts";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { openEgress, startDns, startHttp } from "../fixtures/network.ts";
import { fixture, homeOf, onCleanup, project } from "../fixtures/project.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const session = createSession({ client: { name: "test", version: "1" } });

async function openEngine(network: object | undefined) {
  const opened = await project({ good: fixture("good") }, network === undefined ? {} : { network });
  const notices: string[] = [];
  const engine = createEngine(opened, {
    poolSize: 0,
    checkTypes: true,
    onNotice: (text) => notices.push(text),
    ready: opened.catalog.read(),
  });
  onCleanup(() => engine.close());
  const events: EngineEvent[] = [];
  engine.events.subscribe({}, (event) => events.push(event));
  return { engine, notices, events, dir: opened.dir };
}

describe("fetch in a program", () => {
  it("reaches what network.allow names, and the receipt, the journal and the events say so", async () => {
    const server = await startHttp((_asked, response) => void response.end('{"answer":42}'));
    closing.push(server.close);
    const place = `127.0.0.1:${server.port}`;
    const { engine, events, notices, dir } = await openEngine({ allow: [place] });
    const code = `const { answer } = await (await fetch("http://${place}/a")).json();
      const other = await fetch("https://api.x.com/").catch((error: Error) => error.message);
      return [answer, other]`;
    const result = await engine.run({ code, session });
    expect(result).toMatchObject({
      ok: true,
      result: [42, 'Cannot fetch "https://api.x.com/": network.allow does not name "api.x.com"'],
      receipt: { network: { hosts: ["127.0.0.1"], connections: 1, denied: 1 } },
    });
    const told = events.filter(({ kind }) => kind === "connection");
    expect(told).toEqual([
      expect.objectContaining({
        host: "127.0.0.1",
        port: server.port,
        decision: "allow",
        runId: result.runId,
      }),
      expect.objectContaining({ host: "api.x.com", decision: "deny" }),
    ]);
    expect(notices).toContainEqual(expect.stringContaining('network.allow does not name "api.x.com"'));
    expect(JSON.stringify(await readRun(dir, result.runId, await homeOf(dir)))).toContain(
      '"hosts":["127.0.0.1"]',
    );
  });

  it("says which key of the config grants it, where none does", async () => {
    const { engine, dir } = await openEngine(undefined);
    const result = await engine.run({ code: 'await fetch("https://api.x.com/")', session });
    expect(result).toMatchObject({
      ok: false,
      error: {
        message: expect.stringMatching(/"https:\/\/api\.x\.com\/".*network\.allow of keyhole\.config/),
      },
    });
    expect(result.receipt).not.toHaveProperty("network");
    // Also of a program that catches it.
    await engine.run({ code: 'await fetch("http://zoe.example:81/x").catch(() => {})', session });
    await engine.close();
    expect(only(await eventsOf(dir), "egress.refused").map(({ details }) => details)).toEqual([
      { host: "api.x.com", port: 443, reason: "denied" },
      { host: "zoe.example", port: 81, reason: "denied" },
    ]);
  });
});

/** Each kind of address that leads where it should not, and what a program must be told. */
const SSRF: readonly (readonly [url: string, reason: RegExp])[] = [
  ["http://127.0.0.1/", /loopback/],
  ["http://127.0.0.1:22", /loopback/],
  ["https://127.0.0.1:443", /loopback/],
  ["http://localhost", /does not name "localhost"/],
  ["http://LOCALHOST./", /does not name "localhost"/],
  ["http://127.1", /loopback/],
  ["http://0x7f000001", /loopback/],
  ["http://0177.0.0.1/", /loopback/],
  ["http://2130706433/", /loopback/],
  ["http://①②⑦.0.0.1/", /loopback/],
  ["http://%31%32%37.0.0.1/", /loopback/],
  ["http://127。0。0。1/", /loopback/],
  ["http://[::1]/", /loopback/],
  ["http://[::ffff:127.0.0.1]", /loopback/],
  ["http://[0:0:0:0:0:ffff:a9fe:a9fe]", /metadata/],
  ["http://[::]:80/", /unspecified/],
  ["http://0/", /unspecified/],
  ["http://0.0.0.0:80", /unspecified/],
  ["http://[64:ff9b::127.0.0.1]/", /NAT64/],
  ["http://[2002:7f00:1::]/", /6to4/],
  ["http://[2001:0:7f00:1::]/", /Teredo/],
  ["http://[fe80::1]/", /link-local/],
  ["http://[fc00::1]/", /private/],
  ["http://[ff02::1]/", /multicast/],
  ["http://169.254.169.254/latest/meta-data/", /metadata/],
  ["http://0xA9FEA9FE/", /metadata/],
  ["http://2852039166/", /metadata/],
  ["http://100.100.100.200/", /metadata/],
  ["http://[fd00:ec2::254]/", /metadata/],
  ["http://10.0.0.5/", /private/],
  ["http://3232235777/", /private/],
  ["http://172.16.0.1/", /private/],
  ["http://224.0.0.1/", /multicast/],
  ["http://255.255.255.255/", /reserved/],
  ["http://8.8.8.8/", /does not name "8\.8\.8\.8"/],
  ["http://127.0.0.1.nip.test/", /leads to 127\.0\.0\.1, which is a loopback/],
  ["http://metadata.test/", /leads to 169\.254\.169\.254, which is a cloud metadata/],
  ["http://ten.test/", /leads to 10\.1\.2\.3, which is a private/],
  ["http://api.test@127.0.0.1/", /send an Authorization header/],
  ["http://127.0.0.1\\@api.test/", /loopback/],
  ["http://api.test:80#@127.0.0.1/", /leads to 127\.0\.0\.1/],
  ["http://127.1.1.1:80:\\@@127.2.2.2:80/", /Invalid URL/],
  ["http://256.256.256.256/", /Invalid URL/],
  ["http://[::1%25lo]/", /Invalid URL/],
  ["file:///etc/passwd", /only http and https/],
  ["gopher://localhost:25/_MAIL", /only http and https/],
  ["dict://localhost:11211/", /only http and https/],
  ["data:text/plain,x", /only http and https/],
  ["blob:http://127.0.0.1/x", /only http and https|Invalid/],
];

it("no spelling of an address leads where none may go, and each is refused for what it is", async () => {
  const addresses = { "metadata.test": "169.254.169.254", "ten.test": "10.1.2.3" };
  const dns = await startDns((name) => [
    Object.entries(addresses).find(([key]) => key === name)?.[1] ?? "127.0.0.1",
  ]);
  closing.push(dns.close);
  const way = openEgress(
    { allow: ["*.nip.test", "*.0.0.1.nip.test", "metadata.test", "ten.test", "api.test"], perMinute: 1_000 },
    { resolve: dns.resolve },
  );
  closing.push(way.close);
  const sandbox = createSandbox({ poolSize: 0 });
  closing.push(() => sandbox.close());
  const urls = SSRF.map(([url]) => url);
  const code = `const told = [];
    for (const url of ${JSON.stringify(urls)}) told.push(await fetch(url).then((r) => "reached " + r.status, (e) => e.message));
    return told`;
  const outcome = await sandbox.run(
    { code, servers: [], network: {} },
    { callTool: async () => null, connect: way.accept },
  );
  if (!outcome.ok) throw new Error(outcome.error.message);
  const told = Array.isArray(outcome.value) ? outcome.value : [];
  expect(SSRF.map(([url], at) => [url, told[at]])).toEqual(
    SSRF.map(([url, reason]) => [url, expect.stringMatching(reason)]),
  );
});
