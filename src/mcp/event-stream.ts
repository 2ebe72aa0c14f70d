import { type Collected, createMessageCollector } from "./collect-message.ts";
import type { JsonScan } from "./json-scan.ts";
import type { Excess, MessageLimits } from "./too-large.ts";

/** One event of a stream, as far as the protocol has a use for it. */
export type StreamEvent = { readonly event?: string; readonly id?: string; readonly data: Collected };

export type EventReader = {
  /** Nothing more may be pushed until it is done. */
  push(chunk: Uint8Array): Promise<void>;
  close(): void;
};

export type EventReaderOptions = MessageLimits & {
  onEvent(event: StreamEvent): Promise<void> | undefined;
  onEndless(excess: Excess, scan: JsonScan): void;
  onOverdue(): void;
  /** Told of each line: endless comments must end somehow. */
  onLine(): void;
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
/** `data`, `event`, `id` and `retry`; longer names mean nothing. */
const MAX_FIELD = 8;
/** Of what is no data. */
const MAX_FIELD_VALUE = 8_192;

/**
 * Reads server-sent events. Comments and `retry` go no further: with the latter a server could have us come back as often
 * as it likes.
 */
export function createEventReader(options: EventReaderOptions): EventReader {
  const collector = createMessageCollector(options);
  /** The field of the line under way, as far as it is known, and whether that is all of it. */
  let field = "";
  let isValue = false;
  let isValueStart = false;
  let value = "";
  let isLineEmpty = true;
  let dataLines = 0;
  let skipsLineFeed = false;
  let fields: { event?: string; id?: string } = {};

  /** A part of one line. */
  function read(part: Buffer): Promise<void> | undefined {
    let from = 0;
    if (part.length > 0) isLineEmpty = false;
    while (!isValue && from < part.length) {
      const byte = part[from++] ?? 0;
      if (byte === COLON) {
        isValue = true;
        isValueStart = true;
      } else if (field.length <= MAX_FIELD) field += String.fromCharCode(byte);
    }
    if (from >= part.length) return undefined;
    if (isValueStart) {
      isValueStart = false;
      if (part[from] === SPACE) from++;
      if (field === "data" && dataLines > 0) collector.add(Buffer.of(LINE_FEED));
    }
    const rest = part.subarray(from);
    if (field === "data") return rest.length === 0 ? undefined : collector.add(rest);
    if (value.length < MAX_FIELD_VALUE) value += rest.toString("utf8", 0, MAX_FIELD_VALUE);
    return undefined;
  }

  function endLine(): Promise<void> | undefined {
    options.onLine();
    const isEnd = isLineEmpty;
    if (field === "data") dataLines++;
    else if (field === "event" || field === "id") fields[field] = value;
    field = "";
    isValue = false;
    isValueStart = false;
    value = "";
    isLineEmpty = true;
    if (!isEnd) return undefined;
    const event = { ...fields, data: collector.end() };
    const hasData = dataLines > 0;
    fields = {};
    dataLines = 0;
    return hasData || event.id !== undefined ? options.onEvent(event) : undefined;
  }

  return {
    async push(bytes) {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let start = 0;
      let feed = -2;
      let carriage = -2;
      while (start < chunk.length) {
        if (skipsLineFeed && chunk[start] === LINE_FEED) start++;
        skipsLineFeed = false;
        // Each is looked for once in a chunk, however many there are of the other.
        if (feed !== -1 && feed < start) feed = chunk.indexOf(LINE_FEED, start);
        if (carriage !== -1 && carriage < start) carriage = chunk.indexOf(CARRIAGE_RETURN, start);
        const end = feed === -1 || (carriage !== -1 && carriage < feed) ? carriage : feed;
        const waiting = read(chunk.subarray(start, end === -1 ? chunk.length : end));
        if (waiting) await waiting;
        if (end === -1) return;
        skipsLineFeed = chunk[end] === CARRIAGE_RETURN;
        start = end + 1;
        const taken = endLine();
        if (taken) await taken;
      }
    },
    close: () => collector.drop(),
  };
}

/** The event as it is written in a stream. */
export function writeEvent({ event, id }: Omit<StreamEvent, "data">, data: Buffer | undefined): Buffer {
  const head = `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}`;
  if (data === undefined) return Buffer.from(`${head}\n`);
  const lines = data.includes(LINE_FEED)
    ? Buffer.from(data.toString("utf8").replaceAll("\n", "\ndata: "))
    : data;
  return Buffer.concat([Buffer.from(`${head}data: `), lines, Buffer.from("\n\n")]);
}
