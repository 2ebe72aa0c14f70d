import { KeyholeError } from "../errors.ts";

/** How much of one message is taken. */
export type MessageLimits = { readonly maxBytes: number; readonly maxValues: number };

/** Deeper than any data. What prints values has a stack, and the platform's own fails somewhat above 4,000. */
export const MAX_DEPTH = 2_500;

/** What of a message was too much. What there was may be more: nobody counts to the end. */
export type Excess = {
  readonly what: "bytes" | "values" | "levels";
  readonly seen: number;
  readonly max: number;
};

export function findExcess(
  seen: { readonly bytes: number; readonly values: number; readonly depth: number },
  { maxBytes, maxValues }: MessageLimits,
): Excess | undefined {
  if (seen.bytes > maxBytes) return { what: "bytes", seen: seen.bytes, max: maxBytes };
  if (seen.values > maxValues) return { what: "values", seen: seen.values, max: maxValues };
  if (seen.depth > MAX_DEPTH) return { what: "levels", seen: seen.depth, max: MAX_DEPTH };
  return undefined;
}

const HINTS = {
  bytes: 'Ask for less at once, or raise "maxMessageBytes" for this server in keyhole.config',
  values: 'Ask for less at once, or raise "maxMessageValues" for this server in keyhole.config',
  levels: "This is a fault of the server; look for a newer version of it",
};

export function tooLarge(
  { what, seen, max }: Excess,
  about: {
    readonly server: string;
    readonly tool?: string | undefined;
    readonly ending?: string | undefined;
  },
): KeyholeError {
  const { server, tool, ending = "" } = about;
  const subject = tool === undefined ? "sent a message" : `answered "${tool}" with a message`;
  const size = what === "levels" ? "nested" : "of";
  const message = `Server "${server}" ${subject} ${size} ${seen} ${what} or more, and ${max} are allowed${ending}`;
  return new KeyholeError("too_large", message, { server, tool, hint: HINTS[what] });
}
