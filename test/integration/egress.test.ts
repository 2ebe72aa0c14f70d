import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { KeyholeError } from "../../src/errors.ts";
import type { EgressOptions, OnOpen } from "../../src/network/egress.ts";
import {
  listen,
  type NetworkConfig,
  openEgress,
  start,
  startDns,
  startHttp,
  startHttps,
  TEST_CA,
} from "../fixtures/network.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function kept<T extends { close(): unknown }>(one: T): T {
  closing.push(() => one.close());
  return one;
}

const echo = (asked: IncomingMessage, response: ServerResponse) => {
  const pieces: Buffer[] = [];
  asked.on("data", (piece: Buffer) => pieces.push(piece));
  asked.on("end", () => {
    const body = Buffer.concat(pieces).toString();
    response.end(JSON.stringify({ method: asked.method, url: asked.url, headers: asked.rawHeaders, body }));
  });
};

/** A server that is named exactly, and the proxy before it. */
async function setUp(
  config: Partial<NetworkConfig> = {},
  options: EgressOptions & { readonly onOpen?: OnOpen } = {},
  listener = echo,
) {
  const server = kept(await startHttp(listener));
  const place = `127.0.0.1:${server.port}`;
  const way = kept(openEgress({ allow: [place], ...config }, options));
  const proxy = kept(await listen(way));
  return { server, place, way, proxy };
}

/** Sends bytes, and gives back all that comes until the other side ends. */
async function talk(port: number, text: string | Buffer): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  closing.push(() => socket.destroy());
  let heard = "";
  socket.on("data", (piece) => {
    heard += piece.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close").catch(() => {});
  return heard;
}

const get = (place: string, path = "/", ...headers: string[]) =>
  [`GET http://${place}${path} HTTP/1.1`, `Host: ${place}`, ...headers, "", ""].join("\r\n");

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

async function openTunnel(port: number, authority: string): Promise<{ socket: Socket; status: string }> {
  const socket = connect(port, "127.0.0.1");
  closing.push(() => socket.destroy());
  socket.on("error", () => {});
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const [first] = await once(socket, "data");
  return { socket, status: String(first).split("\r\n")[0] ?? "" };
}

describe("a request in absolute form", () => {
  it("is handed on, and its answer comes back", async () => {
    const { proxy, place, way } = await setUp();
    const sent = request({
      port: proxy.port,
      method: "POST",
      path: `http://${place}/a/b?c=d`,
      headers: { host: place, "x-own": "1" },
    });
    sent.end("some words");
    const [answer] = await once(sent, "response");
    let text = "";
    for await (const piece of answer) text += piece;
    expect(answer.statusCode).toBe(200);
    const seen = JSON.parse(text);
    expect(seen).toMatchObject({ method: "POST", url: "/a/b?c=d", body: "some words" });
    expect(seen.headers).toEqual(expect.arrayContaining(["x-own", "1"]));
    await expect.poll(() => way.connections).toHaveLength(1);
    expect(way.connections[0]).toMatchObject({ host: "127.0.0.1", protocol: "http", decision: "allow" });
    expect(way.use).toMatchObject({ hosts: ["127.0.0.1"], connections: 1, denied: 0 });
    expect(way.use.sentBytes).toBeGreaterThan(10);
  });

  it("has its hop-by-hop headers taken away, and those that Connection names", async () => {
    const { proxy, place } = await setUp();
    const answer = await talk(
      proxy.port,
      get(
        place,
        "/",
        "Connection: keep-alive, X-Secret",
        "X-Secret: 1",
        "Proxy-Authorization: Basic eA==",
        "TE: trailers",
        "Upgrade: websocket",
        "X-Kept: yes",
      ),
    );
    const { headers } = bodyOf(answer);
    const names = headers
      .filter((_: string, at: number) => at % 2 === 0)
      .map((name: string) => name.toLowerCase());
    expect(names).toEqual(["host", "x-kept", "connection"]);
  });

  it.each([
    [
      "names another host in its Host header",
      (place: string) => `GET http://${place}/ HTTP/1.1\r\nHost: evil.test\r\n\r\n`,
    ],
    [
      "has two Host headers",
      (place: string) => `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nHost: evil.test\r\n\r\n`,
    ],
    ["has no Host header", (place: string) => `GET http://${place}/ HTTP/1.1\r\n\r\n`],
    [
      "has two lengths",
      (place: string) =>
        `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
    ],
    [
      "has a length and chunks",
      (place: string) =>
        `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "has an unknown coding of its body",
      (place: string) =>
        `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "has a space before a colon",
      (place: string) => `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nContent-Length : 3\r\n\r\nabc`,
    ],
    [
      "has a folded header",
      (place: string) => `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nX: a\r\n b\r\n\r\n`,
    ],
    [
      "has a bare line feed in a header",
      (place: string) => `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nX: a\nY: b\r\n\r\n`,
    ],
    [
      "has a zero byte in a header",
      (place: string) => `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nX: a\0b\r\n\r\n`,
    ],
    [
      "has a user name",
      (place: string) => `GET http://${place}@evil.test/ HTTP/1.1\r\nHost: ${place}\r\n\r\n`,
    ],
    ["is of another scheme", (place: string) => `GET ftp://${place}/ HTTP/1.1\r\nHost: ${place}\r\n\r\n`],
    [
      "is https, for which there is CONNECT",
      (place: string) => `GET https://${place}/ HTTP/1.1\r\nHost: ${place}\r\n\r\n`,
    ],
    ["is in origin form", (place: string) => `GET / HTTP/1.1\r\nHost: ${place}\r\n\r\n`],
    [
      "has an escaped host",
      (place: string) => `GET http://%31${place.slice(1)}/ HTTP/1.1\r\nHost: ${place}\r\n\r\n`,
    ],
    [
      "has a backslash in its host",
      (place: string) => `GET http://evil.test\\${place}/ HTTP/1.1\r\nHost: ${place}\r\n\r\n`,
    ],
    [
      "expects what nobody knows",
      (place: string) => `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nExpect: more\r\n\r\n`,
    ],
    ["traces", (place: string) => `TRACE http://${place}/ HTTP/1.1\r\nHost: ${place}\r\n\r\n`],
    ["is HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["is no HTTP", () => "\u0016\u0003\u0001\u0000\u0005hello\r\n\r\n"],
    [
      "has a head without end",
      (place: string) => `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nX: ${"a".repeat(40_000)}`,
    ],
  ])("goes nowhere when it %s", async (_what, toText) => {
    const { proxy, place, server, way } = await setUp();
    const answer = await talk(proxy.port, toText(place));
    expect(answer).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
    expect(server.reached()).toBe(0);
    await expect.poll(() => way.connections).toHaveLength(1);
    expect(way.connections[0]).toMatchObject({ decision: "deny", failure: { reason: "malformed" } });
    expect(way.use).toMatchObject({ denied: 1, connections: 0 });
    expect(way.alerts).toHaveLength(1);
  });

  it("is the only one on its connection: what is sent behind it is no second one", async () => {
    const { proxy, place, server } = await setUp();
    await talk(proxy.port, get(place, "/one") + get(place, "/two") + get("evil.test", "/three"));
    expect(server.reached()).toBeLessThanOrEqual(1);
  });

  it("reaches a server as one request, wherever the program says that it ends", async () => {
    const seen: string[] = [];
    const server = kept(
      await start(
        createServer((socket) => {
          socket.on("error", () => {});
          socket.on("data", (piece) => {
            seen.push(piece.toString("latin1"));
            socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
          });
        }),
      ),
    );
    const place = `127.0.0.1:${server.port}`;
    const proxy = kept(await listen(kept(openEgress({ allow: [place] }))));
    const hidden = `GET /admin HTTP/1.1\r\nHost: ${place}\r\n\r\n`;
    const head = `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    await talk(proxy.port, `${head}5\r\nabcde\r\n0\r\n\r\n${hidden}`);
    expect(seen.join("")).not.toContain("/admin");
  });

  it("can't have a server's answer taken for the proxy's own", async () => {
    const { proxy, place } = await setUp({}, {}, (_asked, response) => {
      response
        .writeHead(403, { "Keyhole-Egress": "denied", "X-Kept": "1" })
        .end("network.allow does not name you");
    });
    const answer = await talk(proxy.port, get(place));
    expect(answer).toContain("X-Kept: 1");
    expect(answer.toLowerCase()).not.toContain("keyhole-egress");
  });
});

describe("a tunnel", () => {
  async function setUpTls(listener = echo) {
    const server = kept(await startHttps(listener));
    const dns = kept(await startDns(() => ["127.0.0.1"]));
    const allow = [`127.0.0.1:${server.port}`, `api.test:${server.port}`, `*.wild.test:${server.port}`];
    const way = kept(openEgress({ allow }, { resolve: dns.resolve }));
    return { server, way, proxy: kept(await listen(way)) };
  }

  it("carries TLS from end to end", async () => {
    const { server, proxy, way } = await setUpTls();
    const { socket, status } = await openTunnel(proxy.port, `api.test:${server.port}`);
    expect(status).toBe("HTTP/1.1 200 Connection established");
    const tls = connectTls({ socket, servername: "api.test", ca: TEST_CA });
    tls.write("GET /x HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n");
    let text = "";
    for await (const piece of tls) text += piece;
    expect(text).toContain('"url":"/x"');
    await expect.poll(() => way.connections).toHaveLength(1);
    expect(way.connections[0]).toMatchObject({ host: "api.test", protocol: "https", decision: "allow" });
    expect(way.connections[0]?.receivedBytes).toBeGreaterThan(text.length);
  });

  it.each([
    ["another host than it was opened to", { servername: "other.wild.test" }],
    ["no host, where a name was asked for", { servername: "" }],
  ])("ends when TLS in it asks for %s", async (_what, options) => {
    const { server, proxy, way } = await setUpTls();
    const { socket } = await openTunnel(proxy.port, `api.test:${server.port}`);
    const tls = connectTls({ socket, ca: TEST_CA, ...options });
    tls.on("error", () => {});
    await once(tls, "close").catch(() => {});
    await expect.poll(() => way.connections).toHaveLength(1);
    expect(way.connections[0]).toMatchObject({
      decision: "deny",
      failure: { reason: "denied", message: expect.stringContaining("asks for another host") },
    });
  });

  it.each(["GET / HTTP/1.1\r\nHost: api.test\r\n\r\n", "EHLO x\r\n", "SSH-2.0-x\r\n", "\u0016\u0003"])(
    "carries nothing but TLS: %j",
    async (words) => {
      const heard: Buffer[] = [];
      const server = kept(
        await start(
          createServer(
            (socket) => void socket.on("data", (piece) => heard.push(piece)).on("error", () => {}),
          ),
        ),
      );
      const way = kept(openEgress({ allow: [`127.0.0.1:${server.port}`] }));
      const proxy = kept(await listen(way));
      const { socket, status } = await openTunnel(proxy.port, `127.0.0.1:${server.port}`);
      expect(status).toContain("200");
      socket.end(words);
      await expect.poll(() => way.connections).toHaveLength(1);
      const [{ failure, decision } = expect.fail()] = way.connections;
      expect(failure?.message).toMatch(/only TLS goes through|before it was used/);
      expect(decision).toBe(failure?.reason === "malformed" ? "deny" : "allow");
      expect(way.use.denied).toBe(failure?.reason === "malformed" ? 1 : 0);
      expect(Buffer.concat(heard)).toHaveLength(0);
    },
  );

  it("goes to no port that is not named: not to mail, not to ssh", async () => {
    const way = kept(openEgress({ allow: ["api.test", "*.wild.test:443"] }));
    const proxy = kept(await listen(way));
    for (const port of [25, 22, 80, 8443, 6379]) {
      const answer = await talk(proxy.port, `CONNECT api.test:${port} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(answer).toContain('network.allow names "api.test" for ports 80 (http) and 443 (https)');
    }
  });
});

describe("names", () => {
  it("are looked up once, and the address that was checked is the one connected to", async () => {
    const [near, victim] = await Promise.all([startHttp(echo), startDns(() => [])]);
    kept(near);
    kept(victim);
    const secret = kept(
      await startHttp((_asked, response) => void response.end("secret"), "127.0.0.2", near.port),
    );
    const dns = kept(await startDns((_name, time) => [time === 1 ? "127.0.0.1" : "127.0.0.2"]));
    const allow = [`rebind.test:${near.port}`, `127.0.0.1:${near.port}`];
    const way = kept(openEgress({ allow }, { resolve: dns.resolve }));
    const proxy = kept(await listen(way));
    const first = await talk(proxy.port, get(`rebind.test:${near.port}`));
    expect(bodyOf(first)).toMatchObject({ method: "GET" });
    expect(dns.asked).toEqual(["rebind.test"]);
    const second = await talk(proxy.port, get(`rebind.test:${near.port}`));
    expect(second).toContain('"rebind.test" leads to 127.0.0.2, which is a loopback address');
    expect(secret.reached()).toBe(0);
  });

  it("with one wrong address among their addresses are refused, in any order", async () => {
    const { server } = await setUp();
    for (const addresses of [
      ["127.0.0.1", "127.0.0.2"],
      ["127.0.0.2", "127.0.0.1"],
    ]) {
      const dns = kept(await startDns(() => addresses));
      const allow = [`mixed.test:${server.port}`, `127.0.0.1:${server.port}`];
      const proxy = kept(await listen(kept(openEgress({ allow }, { resolve: dns.resolve }))));
      expect(await talk(proxy.port, get(`mixed.test:${server.port}`))).toContain("leads to 127.0.0.2");
    }
    expect(server.reached()).toBe(0);
  });

  it("that are not found, or that nobody answers for, are told apart from what is refused", async () => {
    const dns = kept(await startDns(() => []));
    const proxy = kept(await listen(kept(openEgress({ allow: ["none.test"] }, { resolve: dns.resolve }))));
    const answer = await talk(proxy.port, get("none.test"));
    expect(answer).toMatch(/^HTTP\/1\.1 502 .*keyhole-egress: unreachable/s);
    expect(answer).toContain('the name "none.test" was not found');
  });

  it("that never get an answer keep nobody else's from being looked up", async () => {
    let release = () => {};
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { server } = await setUp();
    const resolve = async (name: string) => {
      if (name.startsWith("stuck")) await stuck;
      return ["127.0.0.1"];
    };
    const allow = [
      `*.wild.test:${server.port}`,
      `stuck.wild.test:${server.port}`,
      `127.0.0.1:${server.port}`,
    ];
    const { createEgress } = await import("../../src/network/egress.ts");
    const { toSettings } = await import("../fixtures/network.ts");
    const egress = kept(createEgress(toSettings({ allow }), { resolve }));
    const hostile = kept(await listen(egress.open({ runId: "hostile", principal: "m" })));
    const honest = kept(await listen(egress.open({ runId: "honest", principal: "h" })));
    const hanging = Array.from({ length: 6 }, (_, at) =>
      talk(hostile.port, get(`stuck${at}.wild.test:${server.port}`)),
    );
    const answer = await talk(honest.port, get(`fine.wild.test:${server.port}`));
    expect(bodyOf(answer)).toMatchObject({ method: "GET" });
    release();
    await Promise.all(hanging);
  });
});

describe("limits", () => {
  it("hold for requests a minute to what one entry names, however many names that has", async () => {
    const { server } = await setUp();
    const resolve = async () => ["127.0.0.1"];
    const allow = [`*.wild.test:${server.port}`, `127.0.0.1:${server.port}`];
    const way = kept(openEgress({ allow, perMinute: 3 }, { resolve }));
    const proxy = kept(await listen(way));
    const statuses: string[] = [];
    for (const name of ["a", "b", "c", "d"]) {
      const answer = await talk(proxy.port, get(`${name}.wild.test:${server.port}`));
      statuses.push(answer.split(" ")[1] ?? "");
      if (name === "d")
        expect(answer).toMatch(
          /more than 3 requests a minute to "\*\.wild\.test:\d+" \(network\.perMinute\): wait \d+ s/,
        );
    }
    expect(statuses).toEqual(["200", "200", "200", "429"]);
  });

  it("hold for what a run sends", async () => {
    const { proxy, place, way } = await setUp({ maxBytes: 10_000 });
    const body = "x".repeat(20_000);
    const answer = await talk(
      proxy.port,
      `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toContain("this run has sent more than 10 KB (network.maxBytes)");
    await expect.poll(() => way.alerts.map(({ kind }) => kind)).toContain("volume");
  });

  it("hold for what a run sends in addresses, too", async () => {
    const { proxy, place } = await setUp({ maxBytes: 10_000 });
    const ask = () =>
      talk(proxy.port, `GET http://${place}/?q=${"x".repeat(4_000)} HTTP/1.1\r\nHost: ${place}\r\n\r\n`);
    expect(await ask()).toMatch(/^HTTP\/1\.1 200/);
    expect(await ask()).toMatch(/^HTTP\/1\.1 200/);
    expect(await ask()).toContain("this run has sent more than 10 KB (network.maxBytes)");
  });

  it("hold for what a run receives, over all of its connections", async () => {
    const { proxy, place } = await setUp({ maxBytes: 50_000 }, {}, (_asked, response) => {
      response.end("y".repeat(30_000));
    });
    expect(await talk(proxy.port, get(place))).toContain("y".repeat(30_000));
    const second = await talk(proxy.port, get(place));
    expect(second.length).toBeLessThan(30_000);
    expect(await talk(proxy.port, get(place))).toContain("received more than 49 KB");
  });

  it.each([
    ["heads before the answer's", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"],
    ["what frames a body", `1;${"x".repeat(5_000)}\r\ny\r\n`],
  ])("hold for %s", async (_, piece) => {
    const isBody = !piece.startsWith("HTTP");
    const pouring = createServer((socket) => {
      socket.on("error", () => {});
      if (isBody) socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const pour = () => {
        while (!socket.destroyed && socket.write(piece.repeat(20)));
      };
      socket.on("drain", pour);
      pour();
    });
    const place = `127.0.0.1:${kept(await start(pouring)).port}`;
    const way = kept(openEgress({ allow: [place], maxBytes: 1_000_000 }));
    const proxy = kept(await listen(way));
    await talk(proxy.port, get(place));
    expect(way.use.receivedBytes).toBeGreaterThan(1_000_000);
    expect(await talk(proxy.port, get(place))).toContain("received more than");
  });

  it("hold for connections at once", async () => {
    const waiting: ServerResponse[] = [];
    const { proxy, place, server } = await setUp({}, {}, (_asked, response) => void waiting.push(response));
    const all = Array.from({ length: 20 }, () => talk(proxy.port, get(place)));
    await expect.poll(() => waiting).toHaveLength(16);
    const refused = await Promise.race(all);
    expect(refused).toContain("more than 16 connections at once");
    for (const response of waiting) response.end();
    await Promise.all(all);
    expect(server.reached()).toBe(16);
  });
});

describe("what is let through", () => {
  it("is told before anything is dialled, and by the same name at its end", async () => {
    const opened: { readonly id: string; readonly reached: number }[] = [];
    const { proxy, place, way, server } = await setUp(
      {},
      { onOpen: async ({ id }) => void opened.push({ id, reached: server.reached() }) },
    );
    await talk(proxy.port, get(place));
    expect(opened).toEqual([{ id: expect.stringMatching(/^n_/), reached: 0 }]);
    expect(way.connections).toMatchObject([{ id: opened[0]?.id, decision: "allow" }]);
  });

  it("is refused where that can't be told", async () => {
    const onOpen = () => {
      throw new KeyholeError("store_unusable", "The audit log can't be written");
    };
    const { proxy, place, way, server } = await setUp({}, { onOpen });
    expect(await talk(proxy.port, get(place))).toContain("The audit log can't be written");
    expect(server.reached()).toBe(0);
    expect(way.connections).toMatchObject([{ decision: "deny" }]);
  });
});

describe("what is refused", () => {
  it("is told with its reason, in the log and once as an alert", async () => {
    const { proxy, way } = await setUp();
    for (let time = 0; time < 3; time++) await talk(proxy.port, get("evil.test"));
    expect(way.use).toMatchObject({ connections: 0, denied: 3, hosts: [] });
    expect(way.connections[0]).toMatchObject({
      host: "evil.test",
      port: 80,
      decision: "deny",
      failure: { reason: "denied", message: 'network.allow does not name "evil.test"' },
      sentBytes: 0,
    });
    expect(way.alerts.filter(({ kind }) => kind === "denied")).toHaveLength(1);
  });

  it("of one kind does not hide what is of another, and what is not told of is counted", async () => {
    const { proxy, way } = await setUp();
    for (let name = 0; name < 20; name++) await talk(proxy.port, get(`made-up-${name}.test`));
    await talk(proxy.port, get("169.254.169.254"));
    await talk(proxy.port, get("10.0.0.5"));
    const told = () => way.alerts.map(({ text }) => text);
    expect(told().filter((text) => text.includes("made-up"))).toHaveLength(5);
    expect(told()).toContainEqual(expect.stringContaining("cloud metadata"));
    expect(told()).toContainEqual(expect.stringContaining("private address"));
    way.close();
    expect(told().at(-1)).toContain("15 more times");
  });

  it("is everything where nothing is allowed", async () => {
    const way = kept(openEgress({ allow: [] }));
    const proxy = kept(await listen(way));
    expect(await talk(proxy.port, get("api.test"))).toContain("403");
    expect(await talk(proxy.port, "CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\n\r\n")).toContain("403");
  });
});

it("any bytes end with an answer or the end of the connection, and harm nobody else", async () => {
  const victim = kept(await startHttp(echo));
  const { proxy, place } = await setUp({ perMinute: 6_000 });
  const bases = [
    get(place, "/a"),
    `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n`,
    `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n\u0016\u0003\u0001\u0000\u0040`,
  ];
  const tricks = [
    "\r\n",
    "\n",
    "\0",
    " ",
    "\t",
    "@",
    `127.0.0.1:${victim.port}`,
    "Content-Length: 5",
    ":",
    "\\",
    "%0d%0a",
    "HTTP/1.1",
    "é",
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...bases),
      fc.array(fc.tuple(fc.nat({ max: 200 }), fc.constantFrom(...tricks)), { minLength: 1, maxLength: 4 }),
      async (base, changes) => {
        let text = base;
        for (const [at, trick] of changes) {
          const place = at % text.length;
          text = text.slice(0, place) + trick + text.slice(place);
        }
        const socket = connect(proxy.port, "127.0.0.1");
        socket.on("error", () => {});
        socket.end(Buffer.from(text, "latin1"));
        socket.resume();
        await once(socket, "close");
      },
    ),
    { numRuns: 150 },
  );
  expect(victim.reached()).toBe(0);
  expect(bodyOf(await talk(proxy.port, get(place, "/fine")))).toMatchObject({ url: "/fine" });
}, 60_000);

it("the end of a run ends its connections", async () => {
  const { proxy, place, way } = await setUp({}, {}, () => {});
  const asked = talk(proxy.port, get(place));
  await expect.poll(() => proxy.reached()).toBe(1);
  way.close();
  expect(await asked).toBe("");
  expect(await talk(proxy.port, get(place))).toBe("");
});
