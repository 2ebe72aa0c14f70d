export type CpioEntry =
  | { readonly path: string; readonly kind: "folder" }
  | { readonly path: string; readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly path: string; readonly kind: "link"; readonly target: string };

const TYPES = { folder: 0o040755, file: 0o100000, link: 0o120777 } as const;

/** An archive as the kernel reads its first files from (`newc`). All of it belongs to root. */
export function toCpio(entries: readonly CpioEntry[]): Buffer {
  const parts = entries.map((entry, at) => toPart(entry.path, toMode(entry), toBytes(entry), at + 1));
  return Buffer.concat([...parts, toPart("TRAILER!!!", 0, Buffer.alloc(0), 0)]);
}

const toMode = (entry: CpioEntry) => TYPES[entry.kind] | (entry.kind === "file" ? entry.mode : 0);

function toBytes(entry: CpioEntry): Uint8Array {
  if (entry.kind === "file") return entry.bytes;
  return Buffer.from(entry.kind === "link" ? entry.target : "");
}

function toPart(path: string, mode: number, bytes: Uint8Array, inode: number): Buffer {
  const name = Buffer.from(`${path}\0`);
  const fields = [inode, mode, 0, 0, 1, 0, bytes.length, 0, 0, 0, 0, name.length, 0];
  const header = `070701${fields.map((value) => value.toString(16).padStart(8, "0")).join("")}`;
  return Buffer.concat([padded(Buffer.concat([Buffer.from(header), name])), padded(bytes)]);
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
