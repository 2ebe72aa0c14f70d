import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { createEgress } from "../src/network/egress.ts";
import { parseHostRule } from "../src/network/rules.ts";
import { createSandbox } from "../src/sandbox/create-sandbox.ts";
import type { Sandbox } from "../src/sandbox/sandbox.ts";
import { type BenchSuite, MissingDataError } from "./suite.ts";

const REQUESTS = 200;
const MEGABYTES = 20;
const TARGET_ADDED_MS = 5;

export const networkSuite: BenchSuite = {
  name: "network",
  about:
    "fetch in programs beside Node's own without a proxy; the SSRF forms of the data, and why each is refused",
  async run({ dataDir, progress }) {
    const sandbox = createSandbox();
    try {
      progress("requests");
      const costs = await measureRequests(sandbox);
      progress("SSRF forms");
      const { reasons, reached, total } = await trySsrf(sandbox, dataDir);
      const [, plain, secure] = costs.rows;
      const addedMs = Number(plain?.[1]) - Number(costs.rows[0]?.[1]);
      return {
        tables: [
          {
            title: `One request after another, ${REQUESTS} of each, each on a connection of its own (ms)`,
            columns: ["", "p50", "p95"],
            rows: costs.rows,
          },
          { title: `${MEGABYTES} MB in one answer`, columns: ["", "MB/s"], rows: costs.bulk },
          { title: `${total} SSRF forms`, columns: ["refused because", "forms"], rows: reasons },
        ],
        notes: [
          `A request costs ${addedMs.toFixed(2)} ms more than without a proxy; with TLS, which ends in the program, ${(Number(secure?.[1]) - Number(costs.rows[3]?.[1])).toFixed(2)} ms`,
        ],
        misses: [
          ...(reached.length === 0 ? [] : [`reached: ${reached.join(", ")}`]),
          ...(addedMs <= TARGET_ADDED_MS
            ? []
            : [`a request costs ${addedMs.toFixed(2)} ms more, not ${TARGET_ADDED_MS}`]),
        ],
      };
    } finally {
      await sandbox.close();
    }
  },
};

async function measureRequests(sandbox: Sandbox) {
  const answer: RequestListener = (asked, response) =>
    response.end(asked.url === "/large" ? Buffer.alloc(MEGABYTES << 20) : '{"a":1}');
  const tls = (name: string) => readFile(resolve("test/fixtures/tls", name), "utf8");
  const [ca, key, cert] = await Promise.all(["ca.pem", "server.key", "server.pem"].map(tls));
  if (ca === undefined || key === undefined || cert === undefined) throw new TypeError("No certificate");
  const plain = createServer(answer).listen(0, "127.0.0.1");
  const secure = createHttpsServer({ key, cert }, answer).listen(0, "127.0.0.1");
  await Promise.all([once(plain, "listening"), once(secure, "listening")]);
  const places = [plain, secure].map((server) => {
    const address = server.address();
    return `127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  });
  const [http = "", https = ""] = [`http://${places[0]}`, `https://${places[1]}`];
  const code = (url: string) => `const all = [];
    const one = async (path) => { const start = performance.now(); await (await fetch("${url}" + path, { headers: { connection: "close" } })).bytes(); return performance.now() - start; };
    for (let n = 0; n < ${REQUESTS} + 20; n++) all.push(await one("/"));
    return [all.slice(20), await one("/large")]`;
  const allow = places.flatMap((place) => parseHostRule(place) ?? []);
  const egress = createEgress({ allow, deny: [], maxBytes: 1 << 30, perMinute: 6_000 });

  async function inProgram(url: string): Promise<Times> {
    const way = egress.open({ runId: url, principal: "bench" });
    const outcome = await sandbox.run(
      { code: code(url), servers: [], network: { ca: [ca ?? ""] } },
      { callTool: async () => null, connect: way.accept },
    );
    way.close();
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value as Times;
  }
  /** The same lines in Node, without a proxy. */
  async function direct(url: string): Promise<Times> {
    const { request } = await import(url.startsWith("https") ? "node:https" : "node:http");
    const one = async (path: string) => {
      const start = performance.now();
      const sent = request(`${url}${path}`, { agent: false, ca }).end();
      const [response] = await once(sent, "response");
      for await (const _piece of response);
      return performance.now() - start;
    };
    const all: number[] = [];
    for (let n = 0; n < REQUESTS + 20; n++) all.push(await one("/"));
    return [all.slice(20), await one("/large")];
  }

  const directPlain = await direct(http);
  const programPlain = await inProgram(http);
  const programSecure = await inProgram(https);
  const directSecure = await direct(https);
  plain.close();
  secure.close();
  const named: [string, Times][] = [
    ["http, Node, no proxy", directPlain],
    ["http, program, proxy", programPlain],
    ["https, program, proxy", programSecure],
    ["https, Node, no proxy", directSecure],
  ];
  return {
    rows: named.map(([name, [times]]) => [name, at(times, 0.5), at(times, 0.95)] as const),
    bulk: named.map(([name, [, ms]]) => [name, Math.round(MEGABYTES / (ms / 1000))] as const),
  };
}

type Times = readonly [requests: readonly number[], largeMs: number];

/** All names are allowed and lead to loopback, or to where metadata are: so it is the address that must be refused. */
async function trySsrf(sandbox: Sandbox, dataDir: string) {
  const file = join(dataDir, "attacks/ssrf_payloads_all_the_things.json");
  const text = await readFile(file, "utf8").catch(() => {
    throw new MissingDataError(`There is no ${file}`);
  });
  const urls: string[] = JSON.parse(text).map(({ url }: { url: string }) => url);
  const hosts = urls.flatMap((url) => (URL.canParse(url) ? [new URL(url).hostname] : []));
  const names = new Set(hosts.filter((host) => /[a-z]\w*$/i.test(host) && host !== "localhost"));
  const egress = createEgress(
    {
      allow: [...names].flatMap((name) => parseHostRule(name) ?? []),
      deny: [],
      maxBytes: 1 << 20,
      perMinute: 1_000,
    },
    { resolve: async (name) => [/metadata|169/.test(name) ? "169.254.169.254" : "127.0.0.1"] },
  );
  const way = egress.open({ runId: "ssrf", principal: "bench" });
  const outcome = await sandbox.run(
    {
      code: `const told = []; for (const url of ${JSON.stringify(urls)}) told.push(await fetch(url).then(() => "reached", (e) => e.message)); return told`,
      servers: [],
      network: {},
    },
    { callTool: async () => null, connect: way.accept },
  );
  way.close();
  if (!outcome.ok) throw new Error(outcome.error.message);
  const told = outcome.value as readonly string[];
  const counts = new Map<string, number>();
  for (const message of told) {
    const reason = REASONS.find(([, words]) => words.test(message))?.[0] ?? message;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return {
    total: urls.length,
    reached: urls.filter((_, place) => told[place] === "reached"),
    reasons: [...counts].sort(([, a], [, b]) => b - a),
  };
}

const REASONS: readonly (readonly [string, RegExp])[] = [
  ["a name that leads to a metadata address", /leads to .* metadata/],
  ["a name that leads to loopback", /leads to .* loopback/],
  ["a metadata address", /metadata/],
  ["a loopback address", /loopback/],
  ["a private address", /private/],
  ["an unspecified address", /unspecified/],
  ["a port or protocol that is not named", /network\.allow names/],
  ["network.allow does not name it", /does not name/],
  ["neither http nor https", /only http and https/],
  ["a user name in the address", /Authorization/],
  ["no URL, or no host in it", /Invalid URL|invalid|no HTTP request/i],
];

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100;
}
