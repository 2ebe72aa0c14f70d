const TAR_BLOCK = 512;
const NAME_BYTES = 100;
const TYPES = { file: "0", folder: "5" } as const;

export type TarEntry = {
  readonly kind: "file" | "folder";
  /** Relative, with slashes. */
  readonly path: string;
  readonly mode: number;
  readonly size?: number;
  /** In seconds. */
  readonly mtime?: number;
  /** Whose it is, and of which group. */
  readonly uid?: number;
};

/** As POSIX has it since 1988 (ustar); a longer path stands before it, as GNU has it. */
export function toTarHeader(entry: TarEntry): Buffer {
  const name = Buffer.from(entry.kind === "folder" ? `${entry.path}/` : entry.path);
  const header = toBlock(name.subarray(0, NAME_BYTES), TYPES[entry.kind], entry);
  if (name.length <= NAME_BYTES) return header;
  const size = name.length + 1;
  const long = Buffer.concat([name, Buffer.alloc(1), tarPadding(size)]);
  return Buffer.concat([toBlock(Buffer.from("././@LongLink"), "L", { mode: 0, size }), long, header]);
}

/** What fills up the last block of so many bytes. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK);
}

/** Stands behind the last entry. */
export const TAR_END: Buffer = Buffer.alloc(2 * TAR_BLOCK);

function toBlock(name: Buffer, type: string, entry: Omit<TarEntry, "kind" | "path">): Buffer {
  const { mode, size = 0, mtime = 0, uid = 0 } = entry;
  const header = Buffer.alloc(TAR_BLOCK);
  name.copy(header);
  writeOctal(header, mode, 100, 8);
  writeOctal(header, uid, 108, 8);
  writeOctal(header, uid, 116, 8);
  writeOctal(header, size, 124, 12);
  writeOctal(header, mtime, 136, 12);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  writeOctal(header, sum, 148, 7);
  return header;
}

function writeOctal(header: Buffer, value: number, at: number, length: number): void {
  const digits = value.toString(8).padStart(length - 1, "0");
  if (digits.length >= length) throw new RangeError("A file is too large for an archive");
  header.write(`${digits}\u0000`, at);
}
