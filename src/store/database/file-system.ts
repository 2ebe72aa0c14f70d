import { statfs } from "node:fs/promises";

/** The kernel's numbers (statfs(2)) for file systems that other machines can have mounted at the same time. */
const SHARED: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9P"],
  [0x65735546, "FUSE"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
  [0x73757245, "Coda"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x7461636f, "OCFS2"],
  [0x786f4256, "vboxsf"],
]);

/**
 * The write-ahead log needs memory that all who use the database share, so all must be on one machine. Elsewhere than on
 * Linux the numbers mean other things; there the library finds out.
 */
export async function canShareMemory(dir: string): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const { type } = await statfs(dir).catch(() => ({ type: 0 }));
  return isLocalFileSystem(type);
}

export function isLocalFileSystem(type: number): boolean {
  // Some systems tell it as a signed number.
  return !SHARED.has(type >>> 0);
}
