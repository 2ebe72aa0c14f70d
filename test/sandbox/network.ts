import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox, SandboxRunOptions } from "../../src/sandbox/sandbox.ts";
import {
  type DnsServer,
  type NetworkConfig,
  openEgress,
  type Started,
  startDns,
  startHttp,
  startHttps,
  startTls,
  TEST_CA,
  type TestEgress,
} from "../fixtures/network.ts";

const LARGE_BYTES = 3_000_000;

/** The part of the conformance suite about the network: what `fetch` does where it is granted, and that it is the only way. */
export function testNetwork(sandbox: () => Sandbox): void {
  describe("the network, where it is granted,", () => {
    let plain: Started;
    let secure: Started;
    /** Answers with bytes, whatever it is asked. */
    let odd: Started;
    let secureAnswer = "";
    let dns: DnsServer;
    let way: TestEgress;
    let http: string;
    let https: string;

    beforeAll(async () => {
      plain = await startHttp(answer);
      secure = await startHttps(answer);
      odd = await startTls((socket) => void socket.once("data", () => socket.end(secureAnswer)));
      dns = await startDns((name) => (name === "inner.test" ? ["127.0.0.3"] : ["127.0.0.1"]));
      http = `http://api.test:${plain.port}`;
      https = `https://api.test:${secure.port}`;
    });
    afterAll(async () => {
      await plain.close();
      await secure.close();
      await odd.close();
      dns.close();
    });
    beforeEach(() => {
      way = open();
    });

    function open(config: Partial<NetworkConfig> = {}): TestEgress {
      const places = [`:${plain.port}`, `:${secure.port}`, `:${odd.port}`];
      const hosts = ["api.test", "other.test", "inner.test", "127.0.0.1"];
      const allow = hosts.flatMap((host) => places.map((place) => `${host}${place}`));
      return openEgress({ allow, perMinute: 1_000, ...config }, { resolve: dns.resolve });
    }

    async function run(code: string, options?: SandboxRunOptions) {
      const outcome = await sandbox().run(
        { code, servers: [], network: { ca: [TEST_CA] } },
        { callTool: async () => null, connect: way.accept },
        options,
      );
      way.close();
      return outcome;
    }
    async function returned(code: string) {
      const outcome = await run(code);
      if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
      return outcome.value;
    }
    /** The error that a program is told. */
    const told = (code: string) =>
      returned(`try { ${code}; return "nothing" } catch (e) { return [e.name, e.message, e.code ?? null] }`);

    it.each(["http", "https"])("fetches over %s: status, headers, text, JSON, bytes", async (protocol) => {
      const base = protocol === "http" ? http : https;
      const code = `const r = await fetch("${base}/json?a=b#c", { headers: { "X-Own": "1" } });
        const { url, headers } = await r.json();
        const bytes = await (await fetch("${base}/bytes")).bytes();
        return [r.ok, r.status, r.statusText, r.url, r.redirected, r.headers.get("x-answer"), url, headers["x-own"], [...bytes]]`;
      expect(await returned(code)).toEqual([
        ...[true, 200, "OK", `${base}/json?a=b`, false, "yes", "/json?a=b", "1"],
        [0, 1, 254, 255],
      ]);
    });

    it.each(["http", "https"])(
      "sends bodies over %s: text, JSON, forms, bytes, streams",
      async (protocol) => {
        const base = protocol === "http" ? http : https;
        const code = `const post = async (body, headers = {}) => (await (await fetch("${base}/echo", { method: "POST", body, headers })).text());
        const stream = new ReadableStream({ start(c) { for (const t of ["a", "b", "c"]) c.enqueue(new TextEncoder().encode(t)); c.close(); } });
        return [await post("words"), await post(JSON.stringify({ a: 1 }), { "content-type": "application/json" }), await post(new URLSearchParams({ q: "x y" })),
          await post(new Uint8Array([104, 105])), await post(stream), await post(new Request("http://x/", { method: "POST", body: "r" }).body), await post(undefined)]`;
        expect(await returned(code)).toEqual(["words", '{"a":1}', "q=x+y", "hi", "abc", "r", ""]);
      },
    );

    it.each(["http", "https"])("moves large bodies both ways over %s, in pieces", async (protocol) => {
      const base = protocol === "http" ? http : https;
      const code = `const r = await fetch("${base}/large"); let bytes = 0, pieces = 0;
        for await (const piece of r.body) { bytes += piece.length; pieces++; }
        const sent = await (await fetch("${base}/count", { method: "PUT", body: new Uint8Array(${LARGE_BYTES}) })).text();
        return [bytes, pieces > 1, sent]`;
      expect(await returned(code)).toEqual([LARGE_BYTES, true, String(LARGE_BYTES)]);
    });

    it.each(["http", "https"])(
      "hands what came over %s to the host first, in a world of tokens",
      async (protocol) => {
        const base = protocol === "http" ? http : https;
        const given: unknown[] = [];
        const callOwn = async (tool: string, args: unknown) => {
          given.push([tool, args]);
          const { text, json } = args as { text?: string; json?: { statusText?: string } };
          if (text === "refused") throw new Error("No");
          return text?.toUpperCase() ?? (json?.statusText === undefined ? { taken: true } : json);
        };
        const code = `const post = (body) => fetch("${base}/echo", { method: "POST", body });
          const failed = await (await post("refused")).text().catch((e) => e);
          return [await (await post("words")).text(), await (await post('{"a":1}')).json(), [...await (await fetch("${base}/bytes")).bytes()],
            await (await fetch("${base}/gzip")).text(), await (await post(undefined)).text(), failed instanceof TypeError, failed.message]`;
        const outcome = await sandbox().run(
          { code, servers: [], network: { ca: [TEST_CA] }, tokenClasses: ["EMAIL"] },
          { callTool: async () => null, callOwn, connect: way.accept },
        );
        const message = `Cannot fetch "${base}/echo": No`;
        expect(outcome).toMatchObject({
          ok: true,
          value: ["WORDS", { taken: true }, [0, 1, 254, 255], "PACKED", "", true, message],
        });
        const asked = (args: object) => ["takeText", args];
        expect(given).toContainEqual(asked({ text: "words" }));
        expect(given).toContainEqual(asked({ json: { a: 1 } }));
        expect(given).toContainEqual(
          asked({ json: { statusText: "OK", path: "", headers: expect.any(Array) } }),
        );
      },
    );

    it.each([
      ["a length below nothing", "content-length: -5"],
      ["a length in words", "content-length: abc"],
      ["two lengths", "content-length: 2, 5"],
      ["a length and chunks", "content-length: 2\r\ntransfer-encoding: chunked"],
      ["a coding that is not known", "transfer-encoding: gzip"],
    ])("refuses an answer with %s", async (_, header) => {
      secureAnswer = `HTTP/1.1 200 OK\r\n${header}\r\n\r\nhello`;
      const code = `const r = await fetch("${https.replace(/\d+$/, "")}${odd.port}/"); await r.text()`;
      expect(await told(code)).toEqual([
        "TypeError",
        expect.stringContaining("where the answer ends"),
        "unreachable",
      ]);
    });

    it("unpacks gzip, knows HEAD and answers without a body, and a server that closes at the end", async () => {
      const code = `const g = await fetch("${http}/gzip"); const h = await fetch("${http}/json", { method: "HEAD" });
        const n = await fetch("${http}/nothing"); const c = await fetch("${http}/close");
        return [await g.text(), h.status, await h.text(), n.status, n.body, await c.text()]`;
      expect(await returned(code)).toEqual(["packed", 200, "", 204, null, "until the end"]);
    });

    it("follows redirects, each checked anew, and leaves credentials behind at another origin", async () => {
      const code = `const r = await fetch("${http}/redirect?to=/json", { method: "POST", body: "x", headers: { authorization: "s" } });
        const same = await r.json();
        const other = await (await fetch("${http}/redirect?to=" + encodeURIComponent("http://other.test:${plain.port}/json"), { headers: { authorization: "s" } })).json();
        const manual = await fetch("${http}/redirect?to=/json", { redirect: "manual" });
        return [r.redirected, r.url, same.method, same.headers.authorization, other.headers.authorization ?? null, manual.status]`;
      expect(await returned(code)).toEqual([true, `${http}/json`, "GET", "s", null, 302]);
    });

    it("refuses a redirect to what no rule names, or to an address that is not public", async () => {
      const to = (place: string) => `await fetch("${http}/redirect?to=${encodeURIComponent(place)}")`;
      expect(await told(to("http://evil.test/"))).toEqual([
        "TypeError",
        expect.stringContaining('network.allow does not name "evil.test"'),
        "denied",
      ]);
      way = open();
      expect(await told(to("http://169.254.169.254/latest/meta-data/"))).toEqual([
        "TypeError",
        expect.stringContaining("169.254.169.254 is a cloud metadata address"),
        "denied",
      ]);
      way = open();
      expect(await told(to(`http://inner.test:${plain.port}/`))).toEqual([
        "TypeError",
        expect.stringContaining('"inner.test" leads to 127.0.0.3, which is a loopback address'),
        "denied",
      ]);
      way = open();
      expect(await told(`await fetch("${http}/loop")`)).toEqual([
        "TypeError",
        expect.stringContaining("more than 20 redirects"),
        null,
      ]);
    });

    it("is cancelled by a signal, before, during and after the head", async () => {
      const code = `const names = [];
        for (const [path, ms] of [["/never", 20], ["/half", 20]]) {
          try { const r = await fetch("${http}" + path, { signal: AbortSignal.timeout(ms) }); await r.text(); } catch (e) { names.push(e.name); }
        }
        await fetch("${https}/never", { signal: AbortSignal.abort(new Error("own")) }).catch((e) => names.push(e.message));
        const control = new AbortController(); setTimeout(() => control.abort(), 20);
        await fetch("${https}/never", { signal: control.signal }).catch((e) => names.push(e.name));
        return names`;
      expect(await returned(code)).toEqual(["TimeoutError", "TimeoutError", "own", "AbortError"]);
    });

    it("says what a model can act on", async () => {
      const cases: [string, RegExp][] = [
        [
          'await fetch("https://api.x.com/v1")',
          /^Cannot fetch "https:\/\/api\.x\.com\/v1": network\.allow does not name "api\.x\.com"$/,
        ],
        [
          'await fetch("http://10.0.0.5/")',
          /10\.0\.0\.5 is a private address, and network\.allow does not name it$/,
        ],
        [
          'await fetch("http://2130706434/")',
          /127\.0\.0\.2 is a loopback address, and network\.allow does not name it$/,
        ],
        [
          `await fetch("http://api.test:${plain.port + 1}/")`,
          /network\.allow names "api\.test:\d+" for port \d+, not http on port \d+$/,
        ],
        [`await fetch("https://other.test:${secure.port}/")`, /altnames|certificate/],
        [
          'await fetch("ftp://api.test/").catch((e) => { throw new TypeError(`${e.message} ${e.code}`) })',
          /only http and https can be fetched denied$/,
        ],
        ['await fetch("http://user:pass@api.test/")', /send an Authorization header/],
        ['await fetch("not a url")', /Invalid URL/],
        [`await fetch("${http}/reset")`, /without an answer|connection was lost/],
      ];
      for (const [code, message] of cases) {
        way = open();
        const [name, text] = Object(await told(code));
        expect([code, name, text]).toEqual([code, "TypeError", expect.stringMatching(message)]);
      }
      way = open({ perMinute: 2 });
      const often = `for (let n = 0; n < 3; n++) await (await fetch("${http}/json")).text()`;
      expect(await told(often)).toEqual([
        "TypeError",
        expect.stringMatching(/more than 2 requests a minute to "api\.test:\d+".*wait \d+ s/),
        "limit",
      ]);
    });

    it.each(["http", "https"])(
      "says of a body over %s that a limit ends, or the server, which it was",
      async (protocol) => {
        const base = protocol === "http" ? http : https;
        for (const read of ["r.text()", "r.bytes()"]) {
          way = open({ maxBytes: 100_000 });
          expect(await told(`const r = await fetch("${base}/large"); await ${read}`)).toEqual([
            "TypeError",
            `Cannot fetch "${base}/large": this run has received more than 98 KB (network.maxBytes)`,
            "limit",
          ]);
        }
        way = open();
        expect(await told(`const r = await fetch("${base}/cut"); await r.text()`)).toEqual([
          "TypeError",
          expect.stringContaining("the connection was lost before the answer was complete"),
          "unreachable",
        ]);
      },
    );

    it.each([
      [
        "with two lengths",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhello",
        /can't be read/,
      ],
      ["that is no HTTP", "220 mail.test ESMTP\r\n", /can't be read/],
      [
        "with chunks that are none",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        /can't be read/,
      ],
      [
        "in another protocol",
        "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
        /another protocol/,
      ],
    ])("says of an answer %s that it can't be read", async (_, bytes, message) => {
      const code = `await (await fetch("${http}/raw?bytes=${encodeURIComponent(bytes)}")).text()`;
      expect(await told(code)).toEqual(["TypeError", expect.stringMatching(message), "unreachable"]);
    });

    it("serves many requests at once, also where answers are never read", async () => {
      const code = `const all = await Promise.all(Array.from({ length: 40 }, (_, n) => fetch("${http}/json?" + n)));
        const sizes = await Promise.all(Array.from({ length: 12 }, async () => (await fetch("${http}/large")).status));
        return [all.every((r) => r.ok), new Set(await Promise.all(all.map(async (r) => (await r.json()).url))).size, sizes.length]`;
      way = open({ maxBytes: 100 << 20 });
      expect(await returned(code)).toEqual([true, 40, 12]);
    });

    it("keeps no program going that waits for nothing of it", async () => {
      expect(await returned(`await fetch("${https}/half"); return "done"`)).toBe("done");
    });

    it("is the only way out: not by any other that Deno or Node has", async () => {
      const udp = createSocket("udp4");
      let datagrams = 0;
      udp.on("message", () => datagrams++);
      udp.bind(0, "127.0.0.1");
      await once(udp, "listening");
      const before = [plain.reached(), dns.asked.length];
      const { port } = plain;
      const ways = [
        `return await import("http://127.0.0.1:${port}/x.js")`,
        `return new WebSocket("ws://127.0.0.1:${port}")`,
        `return new WebSocketStream("ws://127.0.0.1:${port}")`,
        `return new EventSource("http://127.0.0.1:${port}")`,
        `return new WebTransport("https://127.0.0.1:${port}")`,
        "return new XMLHttpRequest()",
        `return await Deno.connect({ port: ${port} })`,
        `return await Deno.connectTls({ port: ${port} })`,
        `return Deno.listenDatagram({ port: 0, transport: "udp" })`,
        'return await Deno.resolveDns("example.com", "A")',
        `return await fetch("http://127.0.0.1:${port}/", { client: Deno.createHttpClient({}) })`,
        `return (await import("node:net")).connect(${port})`,
        `return require("net").connect(${port})`,
        `return (await import("node:tls")).connect(${port})`,
        `return require("tls").connect(${port})`,
        `return __keyhole.modules.tls.connect(${port})`,
        `return (await import("node:http")).get("http://127.0.0.1:${port}")`,
        `return (await import("node:http2")).connect("http://127.0.0.1:${port}")`,
        `return (await import("node:dgram")).createSocket("udp4").send("x", ${udp.address().port})`,
        'return await (await import("node:dns/promises")).lookup("example.com")',
        'return (await import("node:child_process")).execSync("true")',
        `const { takeLoaders } = await import("file:///dev/fd/4/built-in-loaders.js"); return await takeLoaders().tls()`,
        `const { takeLoaders } = await import("file:///keyhole/guest/built-in-loaders.js"); return await takeLoaders().tls()`,
      ];
      const code = `const refused = [];
        for (const way of ${JSON.stringify(ways)}) {
          try { const value = await new (async () => {}).constructor(way)(); refused.push([way, String(value)]); } catch { refused.push("refused"); }
        }
        return refused`;
      expect(await returned(code)).toEqual(ways.map(() => "refused"));
      expect([plain.reached(), dns.asked.length]).toEqual(before);
      expect(datagrams).toBe(0);
      udp.close();
    });

    it("gives a program nothing more of Deno while TLS begins, whatever it has changed", async () => {
      const code = `const seen = new Set();
        const look = () => { if (typeof Deno !== "undefined") for (const key of Object.keys(Deno)) seen.add(key); };
        const { get, set } = Map.prototype;
        Map.prototype.get = function (...a) { look(); return get.apply(this, a); };
        Map.prototype.set = function (...a) { look(); return set.apply(this, a); };
        const { bind, call } = Function.prototype;
        Object.defineProperty(Object.prototype, "rejectUnauthorized", { configurable: true, get() { look(); } });
        const r = await fetch("${https}/json").catch((e) => e);
        return [[...seen].filter((key) => key !== "build"), typeof globalThis.Deno]`;
      expect(await returned(code)).toEqual([[], "undefined"]);
    });

    it("leads nowhere for a run that has none", async () => {
      const outcome = await sandbox().run(
        { code: `return fetch("${http}/json").catch((e) => [e.name, e.code, e.message])`, servers: [] },
        { callTool: async () => null },
      );
      const told = ["TypeError", "denied", expect.stringContaining("network.allow")];
      expect(outcome).toMatchObject({ ok: true, value: told });
      expect(
        await sandbox().run(
          { code: `await fetch("${http}/json")`, servers: [] },
          { callTool: async () => null },
        ),
      ).toMatchObject({ ok: false, error: { kind: "exception", name: "TypeError", code: "denied" } });
    });
  });
}

function answer(asked: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(asked.url ?? "/", "http://x");
  const pieces: Buffer[] = [];
  let bytes = 0;
  switch (pathname) {
    case "/json":
      response.setHeader("x-answer", "yes");
      response.end(JSON.stringify({ method: asked.method, url: asked.url, headers: asked.headers }));
      return;
    case "/bytes":
      response.end(Buffer.from([0, 1, 254, 255]));
      return;
    case "/echo":
      asked.on("data", (piece: Buffer) => pieces.push(piece));
      asked.on("end", () => response.end(Buffer.concat(pieces)));
      return;
    case "/count":
      asked.on("data", (piece: Buffer) => {
        bytes += piece.length;
      });
      asked.on("end", () => response.end(String(bytes)));
      return;
    case "/large":
      response.end(Buffer.alloc(LARGE_BYTES, "x"));
      return;
    case "/gzip":
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync("packed"));
      return;
    case "/nothing":
      response.writeHead(204).end();
      return;
    case "/close":
      response.socket?.end("HTTP/1.1 200 OK\r\n\r\nuntil the end");
      return;
    case "/cut":
      response.writeHead(200, { "content-length": 100 }).write("half", () => response.socket?.destroy());
      return;
    case "/raw":
      response.socket?.end(searchParams.get("bytes") ?? "");
      return;
    case "/redirect":
      response.writeHead(302, { location: searchParams.get("to") ?? "/" }).end();
      return;
    case "/loop":
      response.writeHead(307, { location: "/loop" }).end();
      return;
    case "/half":
      response.write("half");
      return;
    case "/reset":
      response.socket?.destroy();
      return;
    case "/never":
      return;
    default:
      response.writeHead(404).end();
  }
}
