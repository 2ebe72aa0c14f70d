import { sniff, toBytes } from "./binary.js";

/**
 * `emit` of a program. Only a Blob has to be waited for: its emit returns a promise.
 * @param {(block: unknown) => void} send
 * @returns {(value: unknown) => Promise<void> | undefined}
 */
export function createEmit(send) {
  let count = 0;
  return (value) => {
    const number = ++count;
    if (!isBlob(value)) return void send(toBlock(value, number));
    return value.arrayBuffer().then((buffer) => {
      const bytes = new Uint8Array(buffer);
      send(toBytesBlock(bytes, value.type || sniff(bytes), number));
    });
  };
}

/**
 * By its looks: Deno loads its Blobs when they are first looked at.
 * @param {unknown} value
 * @returns {value is Blob}
 */
function isBlob(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    "arrayBuffer" in value &&
    "size" in value &&
    "type" in value
  );
}

/**
 * A content block of what a program emits. Bytes become an image, a sound or a file, by what they say they are, else by
 * how they begin.
 * @param {unknown} value
 * @param {number} number tells one file from another
 */
function toBlock(value, number) {
  if (typeof value === "string") return { type: "text", text: value };
  const bytes = toBytes(value);
  if (bytes) return toBytesBlock(bytes, sniff(bytes), number);
  if (typeof value !== "object" || value === null || !("data" in value)) return value;
  const data = toBytes(value.data);
  if (data === undefined) return value;
  // Bytes go as base64 by their `toJSON`.
  const mimeType = "mimeType" in value && value.mimeType ? value.mimeType : sniff(data);
  return "type" in value
    ? { ...value, data, mimeType: mimeType ?? UNKNOWN_TYPE }
    : toBytesBlock(data, String(mimeType ?? UNKNOWN_TYPE), number);
}

/**
 * @param {Uint8Array} bytes
 * @param {string | undefined} mimeType
 * @param {number} number
 */
function toBytesBlock(bytes, mimeType = UNKNOWN_TYPE, number = 1) {
  const [kind] = mimeType.split("/");
  if (kind === "image" || kind === "audio") return { type: kind, data: bytes, mimeType };
  return { type: "resource", resource: { uri: `keyhole://emitted/${number}`, mimeType, blob: bytes } };
}

const UNKNOWN_TYPE = "application/octet-stream";
