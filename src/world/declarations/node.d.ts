// Node's own globals beside the modules, and the types that programs name.

declare var process: typeof import("process");
interface Buffer extends Uint8Array<ArrayBuffer> {
  toString(encoding?: string, start?: number, end?: number): string;
  toJSON(): { type: "Buffer"; data: number[] };
  equals(other: Uint8Array): boolean;
  compare(other: Uint8Array, ...range: number[]): number;
  copy(target: Uint8Array, targetStart?: number, start?: number, end?: number): number;
  slice(start?: number, end?: number): Buffer;
  subarray(start?: number, end?: number): Buffer;
  write(text: string, ...where: any[]): number;
  fill(value: any, ...where: any[]): this;
  indexOf(value: any, from?: any, encoding?: string): number;
  lastIndexOf(value: any, from?: any, encoding?: string): number;
  includes(value: any, from?: any, encoding?: string): boolean;
  swap16(): Buffer;
  swap32(): Buffer;
  swap64(): Buffer;
  readUInt8(at?: number): number;
  readUInt16LE(at?: number): number;
  readUInt16BE(at?: number): number;
  readUInt32LE(at?: number): number;
  readUInt32BE(at?: number): number;
  readInt8(at?: number): number;
  readInt16LE(at?: number): number;
  readInt16BE(at?: number): number;
  readInt32LE(at?: number): number;
  readInt32BE(at?: number): number;
  readFloatLE(at?: number): number;
  readFloatBE(at?: number): number;
  readDoubleLE(at?: number): number;
  readDoubleBE(at?: number): number;
  readBigInt64LE(at?: number): bigint;
  readBigInt64BE(at?: number): bigint;
  readBigUInt64LE(at?: number): bigint;
  readBigUInt64BE(at?: number): bigint;
  writeUInt8(value: number, at?: number): number;
  writeUInt16LE(value: number, at?: number): number;
  writeUInt16BE(value: number, at?: number): number;
  writeUInt32LE(value: number, at?: number): number;
  writeUInt32BE(value: number, at?: number): number;
  writeInt8(value: number, at?: number): number;
  writeInt16LE(value: number, at?: number): number;
  writeInt16BE(value: number, at?: number): number;
  writeInt32LE(value: number, at?: number): number;
  writeInt32BE(value: number, at?: number): number;
  writeFloatLE(value: number, at?: number): number;
  writeFloatBE(value: number, at?: number): number;
  writeDoubleLE(value: number, at?: number): number;
  writeDoubleBE(value: number, at?: number): number;
  writeBigInt64LE(value: bigint, at?: number): number;
  writeBigInt64BE(value: bigint, at?: number): number;
  writeBigUInt64LE(value: bigint, at?: number): number;
  writeBigUInt64BE(value: bigint, at?: number): number;
  [name: string]: any;
}
type BufferEncoding = string;
declare namespace NodeJS {
  type Timeout = any;
  type Timer = any;
  type Immediate = any;
  type ReadableStream = any;
  type WritableStream = any;
  type ReadWriteStream = any;
  type ProcessEnv = { [name: string]: string | undefined };
  interface ErrnoException extends Error {
    code?: string;
    errno?: number;
    path?: string;
    syscall?: string;
  }
}
