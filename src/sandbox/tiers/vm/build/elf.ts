const ADDRESS = 0x400000;
const ELF_HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;

/** A program for x86-64 out of its machine code: a file that is mapped as a whole, and begins after its two headers. */
export function toElf(code: Buffer): Buffer {
  const headers = ELF_HEADER_BYTES + PROGRAM_HEADER_BYTES;
  const elf = Buffer.alloc(headers);
  elf.write("\x7fELF", 0, "latin1");
  elf.set([2, 1, 1], 4); // 64 bit, little-endian, version 1
  elf.writeUInt16LE(2, 16); // an executable
  elf.writeUInt16LE(62, 18); // for x86-64
  elf.writeUInt32LE(1, 20);
  elf.writeBigUInt64LE(BigInt(ADDRESS + headers), 24); // where it begins
  elf.writeBigUInt64LE(BigInt(ELF_HEADER_BYTES), 32); // where the program header is
  elf.writeUInt16LE(ELF_HEADER_BYTES, 52);
  elf.writeUInt16LE(PROGRAM_HEADER_BYTES, 54);
  elf.writeUInt16LE(1, 56);
  const program = elf.subarray(ELF_HEADER_BYTES);
  program.writeUInt32LE(1, 0); // to be loaded
  program.writeUInt32LE(5, 4); // to be read and run
  program.writeBigUInt64LE(BigInt(ADDRESS), 16);
  program.writeBigUInt64LE(BigInt(ADDRESS), 24);
  program.writeBigUInt64LE(BigInt(headers + code.length), 32);
  program.writeBigUInt64LE(BigInt(headers + code.length), 40);
  program.writeBigUInt64LE(4096n, 48);
  return Buffer.concat([elf, code]);
}
