import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DnsServer,
  openEgress,
  type Started,
  startDns,
  startHttp,
  startHttps,
  TEST_CA,
} from "../fixtures/network.ts";
import type { PythonCapabilities, PythonWorld } from "./python-conformance.ts";

/** The network where it is granted: `fetch`, and Python's own HTTP, both over the host's proxy. */
export function testPythonNetwork(world: () => PythonWorld, { isPyodide = false }: PythonCapabilities): void {
  describe("the network, where it is granted,", () => {
    let plain: Started;
    let secure: Started;
    let dns: DnsServer;

    beforeAll(async () => {
      plain = await startHttp(answer);
      secure = await startHttps(answer);
      dns = await startDns(() => ["127.0.0.1"]);
    });
    afterAll(async () => {
      await plain.close();
      await secure.close();
      dns.close();
    });

    async function returned(
      code: string,
      more: object = {},
      callOwn?: (tool: string, args: unknown) => Promise<unknown>,
    ) {
      const ports = [plain.port, secure.port];
      const allow = ports.flatMap((port) => [`api.test:${port}`, `127.0.0.1:${port}`]);
      const way = openEgress({ allow, perMinute: 1_000 }, { resolve: dns.resolve });
      const program = { code, servers: [], network: { ca: [TEST_CA] }, ...more };
      const host = { callTool: async () => null, connect: way.accept, ...(callOwn ? { callOwn } : {}) };
      const outcome = await world().sandbox.run(program, host);
      way.close();
      if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
      return outcome.value;
    }
    const bases = () => [`http://api.test:${plain.port}`, `https://api.test:${secure.port}`];

    it("is reached by fetch and by urllib, over http and https, at once and with bodies", async () => {
      for (const base of isPyodide ? bases().slice(0, 1) : bases()) {
        const code = `import asyncio, json, urllib.request, http.client
r = await fetch("${base}/echo", method="POST", json={"a": 1}, headers={"X-Own": "1"})
many = await asyncio.gather(*[fetch("${base}/n", params={"n": n}) for n in range(3)])
moved = fetch("${base}/moved")
asked = urllib.request.Request("${base}/echo", data=b"words", headers={"X-Own": "2"})
with urllib.request.urlopen(asked) as answer: status, text = answer.status, answer.read().decode()
large = await fetch("${base}/large")
return [r.ok, r.status, (await r.json())["body"], r.json()["own"], [m.json()["url"] for m in many], moved.text(), status, json.loads(text)["body"], len(large.content)]`;
        expect(await returned(code)).toEqual([
          ...[true, 200, '{"a": 1}', "1", ["/n?n=0", "/n?n=1", "/n?n=2"], "arrived"],
          ...[200, "words", 300_000],
        ]);
      }
    });

    it("has more answers open than there is room for, and reads each when its turn comes", async () => {
      for (const base of isPyodide ? bases().slice(0, 1) : bases()) {
        const code = `import json, urllib.request
answers = [urllib.request.urlopen("${base}/" + ("large" if n % 3 == 0 else f"n?n={n}")) for n in range(12)]
texts = [answer.read() for answer in answers]
return [len(text) if n % 3 == 0 else json.loads(text)["url"] for n, text in enumerate(texts)]`;
        const expected = Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? 300_000 : `/n?n=${n}`));
        expect(await returned(code)).toEqual(expected);
      }
    });

    const protocols = isPyodide ? (["http"] as const) : (["http", "https"] as const);

    it.each(protocols)("tells the host what is about to be sent over %s, before it is", async (protocol) => {
      const base = bases()[protocol === "http" ? 0 : 1];
      const noted: unknown[] = [];
      const callOwn = async (tool: string, args: unknown) => void noted.push([tool, args, reached()]);
      const reached = () => plain.reached() + secure.reached();
      const code = `import http.client, io, urllib.request
await fetch("${base}/echo?q=ann", method="POST", json={"a": 1}, headers={"X-Own": "1"})
urllib.request.urlopen(urllib.request.Request("${base}/echo", data=io.BytesIO(b"y" * 100_000), headers={"content-length": "100000"})).read()
direct = http.client.HTTP${protocol === "https" ? "S" : ""}Connection("${new URL(base ?? "").host}")
direct.putrequest("POST", "/echo")
direct.putheader("Content-Length", "5")
direct.endheaders()
direct.send(b"words")
return direct.getresponse().status`;
      expect(await returned(code, { network: { ca: [TEST_CA], isNoted: true } }, callOwn)).toBe(200);
      const told = (url: string, more: object) => ["noteFetch", { url: `${base}${url}`, ...more }];
      const seen = noted.map((one) => Object(one).slice(0, 2));
      expect(seen.slice(0, 2)).toEqual([
        told("/echo?q=ann", { headers: expect.stringMatching(/^X-Own: 1$/m) }),
        told("/echo?q=ann", { body: '{"a": 1}' }),
      ]);
      expect(seen.at(-1)).toEqual(told("/echo", { body: "words" }));
      expect(JSON.stringify(seen)).not.toContain("Host:");
      const large = seen.slice(2, -1).map(([, { body = "" }]) => body.length);
      expect(large.reduce((sum: number, length: number) => sum + length, 0)).toBe(64 * 1024);
    });

    if (!isPyodide)
      it("trusts the named authorities alone, and closes what it opened", async () => {
        const base = bases()[1];
        const code = `import asyncio, ssl, urllib.request
said = []
try: await fetch("https://127.0.0.2:${secure.port}/")
except OSError as e: said.append(e.code)
many = await asyncio.gather(*[fetch("${base}/large") for n in range(20)])
for n in range(12):
    with urllib.request.urlopen("${base}/large") as answer: answer.read(10)
left = urllib.request.urlopen("${base}/large")
file = left.fp
left.close()
return [said, {len(one.content) for one in many}, file.closed]`;
        expect(await returned(code)).toEqual([["denied"], [300_000], true]);
        const distrusted = `try: await fetch("${base}/n")
except OSError as e: return str(e)`;
        expect(await returned(distrusted, { network: {} })).toMatch(/certificate/i);
        const cut = `try: await fetch("${base}/cut")
except OSError as e: return [e.code, str(e)]`;
        expect(await returned(cut)).toEqual([
          "unreachable",
          expect.stringContaining("the connection was lost before the answer was complete"),
        ]);
      });

    if (isPyodide) {
      it("says of https what to install, where Python has no TLS", async () => {
        const code = `import urllib.request
said = []
try: await fetch("${bases()[1]}/n")
except OSError as e: said.append([e.code, str(e)])
try: urllib.request.urlopen("${bases()[1]}/n")
except OSError as e: said.append(str(e))
return said`;
        const words = expect.stringMatching(/no TLS.*[Ii]nstall bubblewrap and Python/);
        expect(await returned(code)).toEqual([["unreachable", words], words]);
      });
    }

    it("is refused for other hosts, with the reason", async () => {
      const code = `import urllib.request
said = []
try: await fetch("http://other.test:${plain.port}/")
except OSError as e: said.append([e.code, str(e)])
try: urllib.request.urlopen("${isPyodide ? "http" : "https"}://other.test/")
except OSError as e: said.append(["urllib", str(e)])
return said`;
      expect(await returned(code)).toEqual([
        ["denied", expect.stringContaining("other.test")],
        ["urllib", expect.stringContaining("other.test")],
      ]);
    });

    it("hands what came to the host first, in a world of tokens", async () => {
      const [base] = bases();
      const code = `import urllib.request
return [(await fetch("${base}/moved")).text(), urllib.request.urlopen("${base}/large").read()[:5].decode()]`;
      const callOwn = async (_tool: string, args: unknown) => {
        const { text, json } = args as { text?: string; json?: object };
        return text?.toUpperCase() ?? json;
      };
      expect(await returned(code, { tokenClasses: ["EMAIL"] }, callOwn)).toEqual(["ARRIVED", "XXXXX"]);
    });
  });
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === "/moved") return void response.writeHead(302, { location: "/arrived" }).end();
  if (request.url === "/arrived") return void response.end("arrived");
  if (request.url === "/large") return void response.end("x".repeat(300_000));
  if (request.url === "/cut")
    return void response
      .writeHead(200, { "content-length": 100 })
      .write("half", () => response.socket?.destroy());
  let body = "";
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on("end", () =>
    response.end(JSON.stringify({ url: request.url, body, own: request.headers["x-own"] })),
  );
}
