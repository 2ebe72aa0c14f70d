import { Writable } from "node:stream";
import { serveStdio as serveSdkStdio } from "@modelcontextprotocol/server/stdio";
import type { Engine } from "../../engine/engine.ts";
import { createSession } from "../../session.ts";
import { createFront } from "./front.ts";
import { createHeldCalls } from "./held-calls.ts";
import { createStdioTransport } from "./outlet.ts";
import { createTrustQuestions } from "./trust/trust-questions.ts";

export type StdioFrontOptions = {
  /** Told of what goes wrong outside of any request. */
  readonly onError?: (error: Error) => void;
};

export type StdioFront = {
  /** Settles when the client has gone or the front was closed. The engine is left to whoever made it. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
};

/** A program and the results it returns travel in one line each. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Serves the client that started this process, in whichever protocol era it opens. Takes standard output for itself. */
export function serveStdio(engine: Engine, { onError = () => {} }: StdioFrontOptions = {}): StdioFront {
  const output = claimStdout();
  const { promise: closed, resolve: settle } = withResolvers();
  // One for this process, whichever era the client tries first.
  const session = createSession({ client: { name: "stdio" }, front: "stdio" });
  const outbox = engine.outboxOf(session.principal);
  const transport = createStdioTransport(outbox, process.stdin, output.stream, MAX_MESSAGE_BYTES);
  const held = createHeldCalls(engine);
  const trust = createTrustQuestions(engine, onError);
  const handle = serveSdkStdio(
    () => createFront({ engine, session, held, trust, transport: "pipe", onError }),
    {
      transport,
      onerror: onError,
    },
  );
  const tearDown = transport.onclose;
  transport.onclose = () => {
    tearDown?.();
    settle();
  };
  return {
    closed: closed.then(output.release),
    async close() {
      await handle.close();
      settle();
    },
  };
}

/**
 * Whatever else writes to standard output from now on (a library, a stray console.log) goes to standard error: a single
 * foreign line there would break the protocol.
 */
function claimStdout(): { stream: Writable; release(): void } {
  const { stdout, stderr } = process;
  const own = stdout.write;
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, encoding, done) => {
      own.call(stdout, chunk, encoding, done);
    },
  });
  stdout.write = stderr.write.bind(stderr);
  return {
    stream,
    release() {
      stdout.write = own;
    },
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
