declare module "zlib" {
  namespace zlib {
    type ZlibOptions = any;
    type BrotliOptions = any;
    const constants: any;
    const codes: any;
    function crc32(data: any, value?: number): number;
    function gzip(data: any, ...rest: any[]): any;
    function gzipSync(data: any, options?: any): Buffer;
    function gunzip(data: any, ...rest: any[]): any;
    function gunzipSync(data: any, options?: any): Buffer;
    function deflate(data: any, ...rest: any[]): any;
    function deflateSync(data: any, options?: any): Buffer;
    function inflate(data: any, ...rest: any[]): any;
    function inflateSync(data: any, options?: any): Buffer;
    function deflateRaw(data: any, ...rest: any[]): any;
    function deflateRawSync(data: any, options?: any): Buffer;
    function inflateRaw(data: any, ...rest: any[]): any;
    function inflateRawSync(data: any, options?: any): Buffer;
    function unzip(data: any, ...rest: any[]): any;
    function unzipSync(data: any, options?: any): Buffer;
    function brotliCompress(data: any, ...rest: any[]): any;
    function brotliCompressSync(data: any, options?: any): Buffer;
    function brotliDecompress(data: any, ...rest: any[]): any;
    function brotliDecompressSync(data: any, options?: any): Buffer;
    function createGzip(options?: any): any;
    const Gzip: any;
    function createGunzip(options?: any): any;
    const Gunzip: any;
    function createDeflate(options?: any): any;
    const Deflate: any;
    function createInflate(options?: any): any;
    const Inflate: any;
    function createDeflateRaw(options?: any): any;
    const DeflateRaw: any;
    function createInflateRaw(options?: any): any;
    const InflateRaw: any;
    function createUnzip(options?: any): any;
    const Unzip: any;
    function createBrotliCompress(options?: any): any;
    const BrotliCompress: any;
    function createBrotliDecompress(options?: any): any;
    const BrotliDecompress: any;
  }
  export = zlib;
}
