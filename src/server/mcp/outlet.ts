import type { Readable, Writable } from "node:stream";
import {
  type JSONRPCMessage,
  Server,
  type ServerOptions,
  type Transport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Outbox, OutgoingMessage } from "../../result/outbox/outbox.ts";

/** What a front writes to: it takes what has passed the outbox, and nothing else. */
export type Wire = {
  send(message: OutgoingMessage<JSONRPCMessage>, options?: SendOptions): Promise<void>;
};

type SendOptions = Parameters<Transport["send"]>[1];

export type FrontInfo = { readonly name: string; readonly title: string; readonly version: string };

/**
 * The only place that makes servers and transports of the SDK: whatever they send, answers, progress, and what the SDK
 * itself says about a wrong request, passes the outbox.
 */
export function createOutgoingServer(outbox: Outbox, info: FrontInfo, options: ServerOptions): Server {
  return new OutgoingServer(outbox, { ...info }, options);
}

/** Messages leave one at a time: the transport listens anew for errors and for room with each that a slow client makes wait. */
export function createStdioTransport(
  outbox: Outbox,
  input: Readable,
  output: Writable,
  maxBufferSize: number,
): StdioServerTransport {
  const transport = new StdioServerTransport(input, output, { maxBufferSize });
  const wire = toWire(transport);
  let last: Promise<unknown> = Promise.resolve();
  transport.send = (message) => {
    const sent = last.then(() => wire.send(outbox.message(message)));
    last = sent.catch(() => {});
    return sent;
  };
  return transport;
}

class OutgoingServer extends Server {
  readonly #outbox: Outbox;

  constructor(outbox: Outbox, info: ConstructorParameters<typeof Server>[0], options: ServerOptions) {
    super(info, options);
    this.#outbox = outbox;
  }

  override async connect(transport: Transport): Promise<void> {
    sendThrough(this.#outbox, transport);
    await super.connect(transport);
  }
}

function sendThrough(outbox: Outbox, transport: Transport): void {
  const wire = toWire(transport);
  transport.send = (message, options) => wire.send(outbox.message(message), options);
}

function toWire(transport: Transport): Wire {
  return { send: transport.send.bind(transport) };
}
