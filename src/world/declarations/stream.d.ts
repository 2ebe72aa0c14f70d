declare module "stream" {
  import EventEmitter = require("events");
  class Stream extends EventEmitter {
    constructor(options?: any);
    pipe<T>(target: T, options?: any): T;
  }
  import Itself = Stream;
  namespace Stream {
    export import Stream = Itself;
    type ReadableOptions = any;
    type WritableOptions = any;
    type DuplexOptions = any;
    type TransformOptions = any;
    type TransformCallback = (error?: any, data?: any) => void;
    class Readable extends Stream {
      static from(source: any, options?: any): Readable;
      static fromWeb(stream: any, options?: any): Readable;
      static toWeb(stream: any, options?: any): any;
      static isDisturbed(stream: any): boolean;
      constructor(options?: any);
      read(size?: number): any;
      push(chunk: any, encoding?: string): boolean;
      unshift(chunk: any, encoding?: string): void;
      pause(): this;
      resume(): this;
      isPaused(): boolean;
      setEncoding(encoding: string): this;
      unpipe(target?: any): this;
      destroy(error?: any): this;
      wrap(stream: any): this;
      map(work: any, options?: any): Readable;
      filter(work: any, options?: any): Readable;
      flatMap(work: any, options?: any): Readable;
      forEach(work: any, options?: any): Promise<void>;
      reduce(work: any, ...rest: any[]): Promise<any>;
      toArray(options?: any): Promise<any[]>;
      some(work: any, options?: any): Promise<boolean>;
      every(work: any, options?: any): Promise<boolean>;
      find(work: any, options?: any): Promise<any>;
      take(count: number, options?: any): Readable;
      drop(count: number, options?: any): Readable;
      iterator(options?: any): AsyncIterableIterator<any>;
      compose(stream: any, options?: any): any;
      [Symbol.asyncIterator](): AsyncIterableIterator<any>;
      [key: string]: any;
    }
    class Writable extends Stream {
      static fromWeb(stream: any, options?: any): Writable;
      static toWeb(stream: any): any;
      constructor(options?: any);
      write(chunk: any, ...rest: any[]): boolean;
      end(...rest: any[]): this;
      cork(): void;
      uncork(): void;
      destroy(error?: any): this;
      setDefaultEncoding(encoding: string): this;
      [key: string]: any;
    }
    class Duplex extends Readable {
      static from(source: any, options?: any): Duplex;
      write(chunk: any, ...rest: any[]): boolean;
      end(...rest: any[]): this;
    }
    class Transform extends Duplex {
      _transform(chunk: any, encoding: any, callback: TransformCallback): void;
      _flush(callback: TransformCallback): void;
    }
    class PassThrough extends Transform {}
    // Its own workings, which stand beside the rest.
    const _isArrayBufferView: any;
    const _isUint8Array: any;
    const _uint8ArrayToBuffer: any;
    function addAbortSignal(signal: any, stream: any): any;
    function compose(...streams: any[]): any;
    function destroy(stream: any, error?: any): any;
    function duplexPair(options?: any): [Duplex, Duplex];
    function finished(stream: any, ...rest: any[]): any;
    function getDefaultHighWaterMark(objectMode?: boolean): number;
    function isDestroyed(stream: any): boolean;
    function isDisturbed(stream: any): boolean;
    function isErrored(stream: any): boolean;
    function isReadable(stream: any): boolean;
    function isWritable(stream: any): boolean;
    function pipeline(...streams: any[]): any;
    function setDefaultHighWaterMark(objectMode: boolean, value: number): void;
    const promises: typeof import("stream/promises");
  }
  export = Stream;
}
declare module "stream/promises" {
  namespace stream {
    function finished(stream: any, options?: any): Promise<void>;
    function pipeline(...streams: any[]): Promise<any>;
  }
  export = stream;
}
declare module "stream/consumers" {
  namespace consumers {
    function arrayBuffer(stream: any): Promise<ArrayBuffer>;
    function blob(stream: any): Promise<Blob>;
    function buffer(stream: any): Promise<Buffer>;
    function json(stream: any): Promise<any>;
    function text(stream: any): Promise<string>;
  }
  export = consumers;
}
declare module "stream/web" {
  namespace web {
    const ReadableStream: any;
    type ReadableStream<T = any> = globalThis.ReadableStream<T>;
    const ReadableStreamDefaultReader: any;
    const ReadableStreamBYOBReader: any;
    const ReadableStreamBYOBRequest: any;
    const ReadableStreamDefaultController: any;
    const ReadableByteStreamController: any;
    const WritableStream: any;
    type WritableStream<T = any> = globalThis.WritableStream<T>;
    const WritableStreamDefaultWriter: any;
    const WritableStreamDefaultController: any;
    const TransformStream: any;
    type TransformStream<I = any, O = any> = globalThis.TransformStream<I, O>;
    const TransformStreamDefaultController: any;
    const ByteLengthQueuingStrategy: any;
    const CountQueuingStrategy: any;
    const TextEncoderStream: any;
    const TextDecoderStream: any;
    const CompressionStream: any;
    const DecompressionStream: any;
  }
  export = web;
}
