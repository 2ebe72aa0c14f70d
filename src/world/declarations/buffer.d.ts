declare module "buffer" {
  namespace buffer {
    type Buffer = globalThis.Buffer;
    const Buffer: {
      readonly prototype: globalThis.Buffer;
      from(data: any, ...rest: any[]): globalThis.Buffer;
      alloc(size: number, ...fill: any[]): globalThis.Buffer;
      allocUnsafe(size: number): globalThis.Buffer;
      allocUnsafeSlow(size: number): globalThis.Buffer;
      concat(parts: readonly Uint8Array[], length?: number): globalThis.Buffer;
      isBuffer(value: any): value is globalThis.Buffer;
      isEncoding(name: any): boolean;
      byteLength(value: any, encoding?: string): number;
      compare(left: Uint8Array, right: Uint8Array): number;
      copyBytesFrom(view: any, start?: number, length?: number): globalThis.Buffer;
      of(...values: number[]): globalThis.Buffer;
      poolSize: number;
    };
    const Blob: typeof globalThis.Blob;
    const File: typeof globalThis.File;
    const constants: { readonly MAX_LENGTH: number; readonly MAX_STRING_LENGTH: number };
    const kMaxLength: number;
    const kStringMaxLength: number;
    const INSPECT_MAX_BYTES: number;
    function atob(data: string): string;
    function btoa(data: string): string;
    function isAscii(bytes: any): boolean;
    function isUtf8(bytes: any): boolean;
    function transcode(bytes: Uint8Array, from: string, to: string): globalThis.Buffer;
  }
  export = buffer;
}
