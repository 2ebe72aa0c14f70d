// The words for bytes in logs: those of ../../result/binary.ts, which a test compares.

const MIN_BASE64 = 200;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const LOOK_AT = 2000;

/** @type {readonly [mimeType: string, at: number, magic: string][]} */
const MAGIC = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
  ["application/pdf", 0, "%PDF-"],
];

/**
 * What kind of file bytes are, by how they begin.
 * @param {Uint8Array} bytes
 */
export function sniff(bytes) {
  const [mimeType] =
    MAGIC.find(([, at, magic]) => {
      for (let n = 0; n < magic.length; n++) if (bytes[at + n] !== magic.charCodeAt(n)) return false;
      return true;
    }) ?? [];
  return mimeType;
}

/**
 * The bytes that a value is, without a copy.
 * @param {unknown} value
 */
export function toBytes(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return new Uint8Array(value);
  return undefined;
}

/** @param {Uint8Array} bytes */
export function describeBytes(bytes) {
  return `<${sniff(bytes) ?? "bytes"}, ${toByteText(bytes.length)}>`;
}

/**
 * What stands for bytes in text: an image, audio or resource block, base64 in a string. Undefined for anything else.
 * @param {unknown} value
 */
export function describeBinary(value) {
  if (typeof value === "string") return describeText(value);
  if (typeof value !== "object" || value === null) return undefined;
  const type = own(value, "type");
  if (type === "image" || type === "audio")
    return describeData(own(value, "data"), own(value, "mimeType"), type);
  const resource = type === "resource" ? own(value, "resource") : undefined;
  if (typeof resource !== "object" || resource === null) return undefined;
  return describeData(own(resource, "blob"), own(resource, "mimeType"), "file");
}

/**
 * @param {unknown} data
 * @param {unknown} mimeType
 * @param {string} otherwise
 */
function describeData(data, mimeType, otherwise) {
  const bytes = toBytes(data);
  if (bytes === undefined && typeof data !== "string") return undefined;
  const size = bytes ? toByteText(bytes.length) : toSize(String(data));
  return `<${readMimeType(mimeType) ?? (bytes && sniff(bytes)) ?? otherwise}, ${size}>`;
}

/** @param {string} text */
function describeText(text) {
  if (text.length < MIN_BASE64) return undefined;
  const isUrl = text.startsWith("data:");
  const start = isUrl ? text.slice(0, 200).indexOf(";base64,") + ";base64,".length : 0;
  if (isUrl && start < ";base64,".length) return undefined;
  const sample = text.slice(start, start + LOOK_AT);
  if (!BASE64.test(sample) || !isMixed(sample)) return undefined;
  const mime = isUrl ? readMimeType(text.slice("data:".length, start - ";base64,".length)) : undefined;
  return `<${mime ?? "base64"}, ${toSize(text)}>`;
}

/** @param {string} text */
function isMixed(text) {
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && /[0-9]/.test(text) && !/^[0-9a-fA-F]+$/.test(text);
}

/** @param {string} base64 */
function toSize(base64) {
  return toByteText(Math.floor((base64.length * 3) / 4));
}

/** @param {number} bytes */
export function toByteText(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** @param {unknown} value */
function readMimeType(value) {
  return typeof value === "string" && /^[\w.+-]{1,40}\/[\w.+-]{1,60}$/.test(value) ? value : undefined;
}

/**
 * @param {object} value
 * @param {string} key
 */
function own(value, key) {
  return /** @type {unknown} */ (Object.getOwnPropertyDescriptor(value, key)?.value);
}
