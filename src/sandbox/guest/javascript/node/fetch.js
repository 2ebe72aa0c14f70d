import { createBody } from "./fetch-body.js";
import { createStreams } from "./host-streams.js";
import { exchange } from "./http-client.js";
import { createTaking } from "./taking.js";
import { startTls } from "./tls-channel.js";

/** @typedef {import("../load-modules.js").Context} Context */
/** @typedef {ReturnType<typeof createBody>} Body */
/** @typedef {{ head: import("./http-client.js").Head, stream: ReadableStream, url: URL, isRedirected: boolean }} Answer */
/** @typedef {{ method: string, url: URL, headers: Headers, body: Uint8Array | ReadableStream | undefined, signal: AbortSignal, redirect: string }} Asked */

/** The host takes no more at once. */
const MAX_OPEN = 8;
const MAX_REDIRECTS = 20;
const MAX_NOTED = 64 * 1024;
/** In an answer of the proxy's own, and in no server's. */
const OWN_HEADER = "keyhole-egress";
const NOT_SENT = ["host", "connection", "content-length", "transfer-encoding", "keep-alive", "upgrade", "te"];
const WITHOUT_BODY = [204, 205, 304];
const PACKED_HEADERS = ["content-encoding", "content-length"];
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * `fetch` over the host's proxy, which alone decides what can be reached.
 * @param {Context} context
 */
export function create(context) {
  context.onFetch(createFetch(context));
  return {};
}

/** @param {Context} context */
function createFetch(context) {
  const openStream = createStreams(context);
  const { waitFor, noteFetch } = context;
  const taking = context.taking && createTaking(context.taking);
  /** @type {Set<Body>} */
  const unread = new Set();
  /** @type {(() => void)[]} */
  const waiting = [];
  let open = 0;

  async function takeTurn() {
    if (open < MAX_OPEN) return void open++;
    for (const body of unread) body.hurry();
    await new Promise((resolve) => waiting.push(() => resolve(undefined)));
  }

  function giveTurn() {
    const next = waiting.shift();
    if (next) next();
    else open--;
  }

  /**
   * One request, without what may follow from its answer.
   * @param {Asked} asked
   * @param {URL} named in errors
   */
  async function request({ method, url, headers, body, signal }, named) {
    await noteFetch?.(toNoted(url, headers, body));
    await takeTurn();
    const raw = openStream();
    let channel = raw;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener("abort", stop);
      channel.close();
      raw.close();
      giveTurn();
    };
    /** @type {Body | undefined} */
    let answer;
    function stop() {
      answer?.fail(signal.reason);
      over();
    }
    signal.addEventListener("abort", stop);
    try {
      if (url.protocol === "https:") {
        await connect(raw, url);
        channel = await startTls(raw, hostOf(url), context);
      }
      const isTunnel = channel !== raw;
      const { head, read } = await exchange(channel, {
        method,
        target: isTunnel ? `${url.pathname}${url.search}` : `${url.origin}${url.pathname}${url.search}`,
        headers: [["host", url.host], ...withDefaults(headers)],
        ...(body === undefined ? {} : { body }),
      });
      if (!isTunnel) await assertNotRefused(head, read);
      const readOn = () =>
        read().catch((error) => {
          throw explain(error, named);
        });
      answer = createBody(readOn, waitFor, () => {
        if (answer) unread.delete(answer);
        over();
      });
      if (!isOver) unread.add(answer);
      if (waiting.length > 0) answer.hurry();
      return { head, stream: answer.stream };
    } catch (error) {
      over();
      throw signal.aborted ? signal.reason : error;
    }
  }

  /** @param {Asked} first */
  async function follow(first) {
    let asked = first;
    for (let redirects = 0; ; redirects++) {
      const { head, stream } = await request(asked, first.url);
      const location = head.headers.find(([name]) => name === "location")?.[1];
      const isRedirect = REDIRECTS.includes(head.status) && location !== undefined;
      if (!isRedirect || asked.redirect === "manual")
        return answer({ head, stream, url: asked.url, isRedirected: redirects > 0 }, first.url);
      void stream.cancel();
      // What the server wrote is nothing to hand on to a program unseen.
      const target = taking ? "another address" : `"${location.slice(0, 200)}"`;
      if (asked.redirect === "error") throw new TypeError(`it is redirected to ${target}`);
      if (redirects === MAX_REDIRECTS) throw new TypeError(`more than ${MAX_REDIRECTS} redirects`);
      asked = redirected(asked, head.status, location, target);
    }
  }

  /**
   * @param {Answer} answer
   * @param {URL} named
   */
  async function answer({ head, stream, url, isRedirected }, named) {
    const isPacked = isGzip(head);
    const body = isPacked ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
    const lost = isPacked ? PACKED_HEADERS : [];
    if (!taking) return toResponse({ head, stream: body, url: url.href, isRedirected }, lost);
    const path = isRedirected ? `${url.pathname}${url.search}` : "";
    const taken = await taking.head(head, path).catch((error) => {
      void body.cancel().catch(() => {});
      throw error;
    });
    return toResponse(
      {
        head: taken.head,
        stream: taking.body(body, (error) => explain(error, named)),
        url: isRedirected ? `${url.origin}${taken.path}` : url.href,
        isRedirected,
      },
      [...lost, "content-length"],
    );
  }

  return Object.defineProperty(
    /** @type {(input: unknown, init?: any) => Promise<Response>} */
    async (input, init) => {
      const asked = await toAsked(input, init);
      asked.signal.throwIfAborted();
      try {
        return await waitFor(follow(asked));
      } catch (error) {
        if (asked.signal.aborted) throw asked.signal.reason;
        throw explain(error, asked.url);
      }
    },
    "name",
    { value: "fetch" },
  );
}

/**
 * Personal values are looked for in it: at the beginning of long ones, and not in what is a stream.
 * @param {URL} url
 * @param {Headers} headers
 * @param {Asked["body"]} body
 */
function toNoted(url, headers, body) {
  const sent = body instanceof Uint8Array ? new TextDecoder().decode(body.subarray(0, MAX_NOTED)) : undefined;
  return {
    url: url.href.slice(0, MAX_NOTED),
    headers: [...headers]
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n")
      .slice(0, MAX_NOTED),
    ...(sent === undefined ? {} : { body: sent }),
  };
}

/**
 * @param {unknown} input
 * @param {any} init
 * @returns {Promise<Asked>}
 */
async function toAsked(input, init) {
  const request = new Request(/** @type {any} */ (input), init);
  const url = new URL(request.url);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw denied(`Cannot fetch "${url.href.slice(0, 200)}": only http and https can be fetched`);
  if (url.username !== "" || url.password !== "")
    throw new TypeError(
      `Cannot fetch from "${url.host}" with a name in the address: send an Authorization header`,
    );
  url.hash = "";
  const streamed = init?.body instanceof ReadableStream ? init.body : undefined;
  const body = request.body === null ? undefined : (streamed ?? new Uint8Array(await request.arrayBuffer()));
  const isEmptyPost = body === undefined && ["POST", "PUT", "PATCH"].includes(request.method);
  return {
    method: request.method,
    url,
    headers: request.headers,
    body: isEmptyPost ? new Uint8Array() : body,
    signal: request.signal,
    redirect: init?.redirect ?? request.redirect,
  };
}

/**
 * @param {import("./host-streams.js").Channel} channel
 * @param {URL} url
 */
async function connect(channel, url) {
  const authority = `${url.hostname}:${url.port || 443}`;
  const { head, read } = await exchange(channel, {
    method: "CONNECT",
    target: authority,
    headers: [["host", authority]],
  });
  if (head.status !== 200) await assertNotRefused(head, read);
}

/**
 * @param {import("./http-client.js").Head} head
 * @param {import("./http-client.js").Read} read
 */
async function assertNotRefused({ headers }, read) {
  const code = headers.find(([name]) => name === OWN_HEADER)?.[1];
  if (code === undefined) return;
  const decoder = new TextDecoder();
  let message = "";
  for (let piece = await read(); piece; piece = await read()) message += decoder.decode(piece);
  throw Object.assign(new TypeError(message.trim()), { code });
}

/**
 * @param {Headers} headers
 * @returns {[string, string][]}
 */
function withDefaults(headers) {
  const own = [...headers].filter(([name]) => !NOT_SENT.includes(name) && !name.startsWith("proxy-"));
  /** @type {[string, string][]} */
  const defaults = [
    ["accept", "*/*"],
    ["accept-encoding", "gzip"],
    ["user-agent", "Keyhole"],
  ];
  return [...own, ...defaults.filter(([name]) => !headers.has(name))];
}

/**
 * @param {Asked} asked
 * @param {number} status
 * @param {string} location
 * @param {string} target the same, as it may be told
 * @returns {Asked}
 */
function redirected(asked, status, location, target) {
  const url = URL.parse(location, asked.url);
  if (url === null) throw new TypeError(`it is redirected to ${target}, which is no URL`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw denied(`it is redirected to ${target}, which can't be fetched`);
  url.hash = "";
  const headers = new Headers(asked.headers);
  if (url.origin !== asked.url.origin)
    for (const name of ["authorization", "cookie", "proxy-authorization"]) headers.delete(name);
  const losesBody =
    status === 303 ? !["GET", "HEAD"].includes(asked.method) : status < 303 && asked.method === "POST";
  if (!losesBody) {
    if (asked.body instanceof ReadableStream)
      throw new TypeError("it is redirected, and a stream can't be sent a second time");
    return { ...asked, url, headers };
  }
  for (const name of [...headers.keys()]) if (name.startsWith("content-")) headers.delete(name);
  return { ...asked, url, headers, method: "GET", body: undefined };
}

/** @param {import("./http-client.js").Head} head */
function isGzip({ headers }) {
  return headers.some(([name, value]) => name === "content-encoding" && /^(x-)?gzip$/i.test(value));
}

/**
 * @param {Omit<Answer, "url"> & { url: string }} answer
 * @param {readonly string[]} lost headers that are not true of what the program gets
 */
function toResponse({ head: { status, statusText, headers }, stream, url, isRedirected }, lost) {
  const shown = new Headers();
  for (const [name, value] of headers) {
    if (lost.includes(name)) continue;
    try {
      shown.append(name, value);
    } catch {
      // A name or a value that no header can have.
    }
  }
  const isWithout = WITHOUT_BODY.includes(status);
  const response = new Response(isWithout ? null : stream, { status, statusText, headers: shown });
  Object.defineProperties(response, { url: { value: url }, redirected: { value: isRedirected } });
  return response;
}

/** @param {URL} url */
function hostOf({ hostname }) {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** @param {string} message */
function denied(message) {
  return Object.assign(new TypeError(message), { code: "denied" });
}

/**
 * @param {unknown} error
 * @param {URL} url
 */
function explain(error, url) {
  const { message, code } = /** @type {{ message?: unknown, code?: unknown }} */ (Object(error));
  const place = `${url.origin}${url.pathname}`.slice(0, 200);
  return Object.assign(new TypeError(`Cannot fetch "${place}": ${message ?? error}`, { cause: undefined }), {
    ...(code === undefined ? {} : { code }),
  });
}
