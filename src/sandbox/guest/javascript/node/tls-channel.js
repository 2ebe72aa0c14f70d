import { unreachable } from "./http-client.js";

/**
 * TLS over a channel. It ends here, in the program's process: who stands between sees nothing but its first message.
 * @param {import("./host-streams.js").Channel} channel
 * @param {string} host
 * @param {Pick<import("../load-modules.js").Context, "inner" | "network" | "deno">} context
 * @returns {Promise<import("./host-streams.js").Channel>}
 */
export async function startTls(channel, host, { inner, network, deno }) {
  const { Duplex } = inner["stream"];
  const raw = new Duplex({
    /** @this {{ push(chunk: Uint8Array | null): void, destroy(error: unknown): void }} */
    read() {
      channel.read().then(
        (bytes) => this.push(bytes),
        (error) => this.destroy(error),
      );
    },
    /** @type {(chunk: Uint8Array, encoding: string, done: (error?: unknown) => void) => void} */
    write(chunk, _encoding, done) {
      channel.write(chunk).then(() => done(), done);
    },
    /** @param {() => void} done */
    final(done) {
      channel.end();
      done();
    },
    /** @type {(error: unknown, done: (error: unknown) => void) => void} */
    destroy(error, done) {
      channel.close();
      done(error);
    },
  });
  const isAddress = /^[\d.]+$|:/.test(host);
  const socket = withDenoBuild(deno, () =>
    inner["tls"].connect({
      socket: raw,
      host,
      ...(isAddress ? {} : { servername: host }),
      ...(network?.ca ? { ca: network.ca } : {}),
      ALPNProtocols: ["http/1.1"],
    }),
  );
  await new Promise((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.once("error", reject);
    raw.once("error", reject);
    socket.once("close", () => reject(unreachable("the connection was lost")));
  });
  return toChannel(socket, raw);
}

/**
 * Deno's TLS asks the global `Deno` what it is built for. That is all there is of it meanwhile, should the program look.
 * @template T
 * @param {typeof Deno} deno
 * @param {() => T} work
 */
function withDenoBuild({ build }, work) {
  const before = Object.getOwnPropertyDescriptor(globalThis, "Deno");
  const value = Object.freeze({ build: Object.freeze({ ...build }) });
  Object.defineProperty(globalThis, "Deno", { value, configurable: true });
  try {
    return work();
  } finally {
    if (before) Object.defineProperty(globalThis, "Deno", before);
    else Reflect.deleteProperty(globalThis, "Deno");
  }
}

/**
 * @param {any} socket
 * @param {any} raw
 * @returns {import("./host-streams.js").Channel}
 */
function toChannel(socket, raw) {
  /** @type {unknown} */
  let failure;
  let hasEnded = false;
  let isClosed = false;
  let wake = () => {};
  const note = (/** @type {unknown} */ error) => {
    failure ??= error;
    wake();
  };
  socket.on("error", note);
  raw.on("error", note);
  socket.on("readable", () => wake());
  socket.on("end", () => {
    hasEnded = true;
    wake();
  });
  socket.on("close", () => {
    isClosed = true;
    wake();
  });
  return {
    async read() {
      for (;;) {
        const bytes = socket.read();
        if (bytes) return bytes;
        if (failure) throw failure;
        if (hasEnded) return null;
        if (isClosed) throw unreachable("the connection was lost");
        await new Promise((resolve) => {
          wake = () => resolve(undefined);
        });
      }
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (/** @type {unknown} */ error) =>
          error ? reject(failure ?? error) : resolve(undefined),
        );
      }),
    end: () => {},
    close: () => socket.destroy(),
  };
}
