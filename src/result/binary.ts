import { isRecord } from "../text/is-record.ts";

/** Shorter ones are ids, hashes and keys, which a model may need. */
const MIN_BASE64 = 200;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** How much of a long text is looked at: what starts as base64 for so long is not prose. */
const LOOK_AT = 2000;

/**
 * What bytes are, in place of the bytes: `<image/png, 5.2 KB>` for an image, audio or blob block, base64 in a string, a
 * printed Buffer. Undefined for anything else.
 */
export function describeBinary(value: unknown): string | undefined {
  if (typeof value === "string") return describeText(value);
  if (!isRecord(value)) return undefined;
  const block: { readonly [key: string]: unknown } = {
    ...pick(value, ["type", "data", "mimeType", "resource"]),
  };
  if ((block["type"] === "image" || block["type"] === "audio") && typeof block["data"] === "string") {
    return describe(toMimeType(block["mimeType"]) ?? block["type"], toSize(block["data"]));
  }
  const { type, data } = block;
  if (
    type === "Buffer" &&
    Array.isArray(data) &&
    typeof data[0] === "number" &&
    typeof data.at(-1) === "number"
  )
    return describe("bytes", data.length);
  const resource = block["resource"];
  if (block["type"] !== "resource" || typeof resource !== "object" || resource === null) return undefined;
  const { blob, mimeType } = pick(resource, ["blob", "mimeType"]);
  return typeof blob === "string" ? describe(toMimeType(mimeType) ?? "file", toSize(blob)) : undefined;
}

/** A size for people: 34 KB, 1.2 MB. */
export function toByteText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function describeText(text: string): string | undefined {
  if (text.length < MIN_BASE64) return undefined;
  const isUrl = text.startsWith("data:");
  const start = isUrl ? text.slice(0, 200).indexOf(";base64,") + ";base64,".length : 0;
  if (isUrl && start < ";base64,".length) return undefined;
  const sample = text.slice(start, start + LOOK_AT);
  if (!BASE64.test(sample) || !isMixed(sample)) return undefined;
  const mime = isUrl ? toMimeType(text.slice("data:".length, start - ";base64,".length)) : undefined;
  return describe(mime ?? "base64", toSize(text, start));
}

function describe(what: string, bytes: number): string {
  return `<${what}, ${toByteText(bytes)}>`;
}

/** Sequences of one kind of letter (DNA, hex, long words) are not base64. */
function isMixed(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && /[0-9]/.test(text) && !/^[0-9a-fA-F]+$/.test(text);
}

function toSize(base64: string, start = 0): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor(((base64.length - start - padding) * 3) / 4));
}

/** A server's word: only what such a name is made of, and not much of it. */
function toMimeType(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w.+-]{1,40}\/[\w.+-]{1,60}$/.test(value) ? value : undefined;
}

function pick<Key extends string>(value: object, keys: readonly Key[]): { [key in Key]?: unknown } {
  const picked: { [key in Key]?: unknown } = {};
  for (const key of keys) {
    if (Object.hasOwn(value, key)) picked[key] = Reflect.get(value, key);
  }
  return picked;
}
