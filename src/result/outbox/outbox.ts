import { isRecord } from "../../text/is-record.ts";
import { mapTexts } from "../../text/map-texts.ts";
import { sliceStart, toVisibleLines } from "../safe-text.ts";
import { withoutMedia } from "./media.ts";

/** Private, so that a copy with something else in it is not taken for what has passed. */
declare class Passed {
  private readonly passed: true;
}

/** What a model or its client may see. Only the outbox makes it, and the front's transports take nothing else. */
export type OutgoingMessage<Value> = Value & Passed;

/**
 * Changes a text before it leaves. Some texts pass twice, as a run's answer and in the message that carries it: what a
 * filter has made of a text it must leave as it is.
 */
export type OutgoingFilter = (text: string, isKey?: boolean) => string;

export type Outbox = {
  /** A JSON-RPC message, whoever made it: all of it but its id and method. */
  message<Message extends object>(message: Message): OutgoingMessage<Message>;
  /** A text for a model that leaves by another way than the front: a library's caller or a terminal hands it on. */
  text(text: string): string;
  /** The same for data, which a command prints: each of its texts, keys too. The bytes of media among `emitted` stay. */
  data(data: Readonly<Record<string, unknown>>): unknown;
};

/** An error can quote whatever was sent, and progress whatever was logged. */
const MAX_NOTE = 20_000;
/** So much longer a text may get by its filters. */
const MAX_GROWTH = 4;
const MAX_ADDED = 1_000;
const WITHHELD = "[withheld]";

/**
 * The one way out to the model. Texts that are shown are made safe to show; then every text of the message, its keys too,
 * goes through the filters. Media stay as they are. A message without anything to change is not copied.
 */
export function createOutbox(filters: readonly OutgoingFilter[] = []): Outbox {
  const made = new WeakSet<object>();
  const filter = toOneFilter(filters);

  function isMade<Message extends object>(message: Message): message is OutgoingMessage<Message> {
    return made.has(message);
  }

  function mark<Message extends object>(message: Message): asserts message is OutgoingMessage<Message> {
    made.add(message);
  }

  return {
    message(message) {
      if (isMade(message)) return message;
      const shown = mapBody(message, toShown);
      const outgoing =
        filter === undefined ? shown : mapBody(shown, (part, key) => toFiltered(part, key, filter));
      mark(outgoing);
      return outgoing;
    },
    text: (text) => (filter === undefined ? text : filter(text)),
    data: (data) =>
      filter === undefined ? data : withoutMedia(data, "emitted", (rest) => mapTexts(rest, filter)),
  };
}

type BodyKey = "result" | "error" | "params";

function mapBody<Message extends object>(
  message: Message,
  change: (part: unknown, key: BodyKey) => unknown,
): Message {
  let copy = message;
  for (const key of ["result", "error", "params"] as const) {
    const part: unknown = Reflect.get(message, key);
    const changed = part === undefined ? undefined : change(part, key);
    if (changed !== part) copy = { ...copy, [key]: changed };
  }
  return copy;
}

/** A failing filter may have let anything through: its text does not leave. */
function toOneFilter(filters: readonly OutgoingFilter[]): OutgoingFilter | undefined {
  if (filters.length === 0) return undefined;
  return (text, isKey) => {
    try {
      const filtered = filters.reduce((rest, filter) => filter(rest, isKey), text);
      return sliceStart(filtered, text.length * MAX_GROWTH + MAX_ADDED);
    } catch {
      return WITHHELD;
    }
  };
}

/** What clients show as it is, on a terminal for instance: it must not move a cursor or hide anything. */
function toShown(part: unknown, key: BodyKey): unknown {
  if (!isRecord(part)) return part;
  if (key !== "result") return withText(part, "message", toNote);
  const { content } = part;
  if (!Array.isArray(content)) return part;
  const blocks = content.map((block: unknown) =>
    isRecord(block) && block["type"] === "text" ? withText(block, "text", toVisibleLines) : block,
  );
  return blocks.every((block, index) => block === content[index]) ? part : { ...part, content: blocks };
}

function withText(
  record: Record<string, unknown>,
  key: string,
  change: (text: string) => string,
): Record<string, unknown> {
  const text = record[key];
  if (typeof text !== "string") return record;
  const changed = change(text);
  return changed === text ? record : { ...record, [key]: changed };
}

function toNote(text: string): string {
  return toVisibleLines(text.length > MAX_NOTE ? `${sliceStart(text, MAX_NOTE)}…` : text);
}

function toFiltered(part: unknown, key: BodyKey, filter: OutgoingFilter): unknown {
  if (key === "result") return withoutMedia(part, "content", (rest) => mapTexts(rest, filter));
  // The client's own word, by which it knows what the message is about.
  if (!isRecord(part) || !("progressToken" in part)) return mapTexts(part, filter);
  const { progressToken, ...rest } = part;
  const filtered = mapTexts(rest, filter);
  return filtered === rest ? part : { ...(isRecord(filtered) && filtered), progressToken };
}
