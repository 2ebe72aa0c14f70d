import { gunzipSync } from "node:zlib";
import { KeyholeError } from "../../../../errors.ts";
import { unpackLz4 } from "./lz4.ts";

const ELF = Buffer.from("\x7fELF", "latin1");
const LZ4 = Buffer.from([0x02, 0x21, 0x4c, 0x18]);
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
const MAX_BYTES = 256 * 1024 * 1024;

/** A kernel as QEMU's microvm boots it fastest: out of the image that distributions install, by what it is packed with. */
export function toVmlinux(image: Buffer): Buffer {
  if (image.subarray(0, 4).equals(ELF)) return image;
  for (const [magic, unpack] of UNPACKERS) {
    for (let at = image.indexOf(magic); at !== -1; at = image.indexOf(magic, at + 1)) {
      const unpacked = attempt(() => unpack(image.subarray(at)));
      if (unpacked?.subarray(0, 4).equals(ELF)) return unpacked;
    }
  }
  throw new KeyholeError(
    "file_conflict",
    "Cannot find a kernel in the image: it is packed neither with LZ4 nor with gzip",
    {
      hint: "Set KEYHOLE_VM_KERNEL to a vmlinux (an ELF file), or to Debian's vmlinuz",
    },
  );
}

const UNPACKERS: readonly (readonly [Buffer, (packed: Buffer) => Buffer])[] = [
  [LZ4, (packed) => unpackLz4(packed, MAX_BYTES)],
  [GZIP, (packed) => gunzipSync(packed, { maxOutputLength: MAX_BYTES })],
];

/** The same bytes can stand in the image by chance. */
function attempt(unpack: () => Buffer): Buffer | undefined {
  try {
    return unpack();
  } catch {
    return undefined;
  }
}
