// What a program keeps of the runtime's own globals; all others are taken away.

declare function setTimeout(handler: (...args: any[]) => void, ms?: number, ...args: any[]): any;
declare function setInterval(handler: (...args: any[]) => void, ms?: number, ...args: any[]): any;
declare function clearTimeout(id?: any): void;
declare function clearInterval(id?: any): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T, options?: any): T;
declare function atob(data: string): string;
declare function btoa(data: string): string;
declare function addEventListener(type: string, listener: any, options?: any): void;
declare function removeEventListener(type: string, listener: any, options?: any): void;
declare function dispatchEvent(event: any): boolean;

interface Performance {
  now(): number;
  readonly timeOrigin: number;
  mark(name: string, options?: any): any;
  measure(name: string, start?: any, end?: any): any;
  getEntries(): any[];
  getEntriesByName(name: string, type?: string): any[];
  getEntriesByType(type: string): any[];
  clearMarks(name?: string): void;
  clearMeasures(name?: string): void;
  toJSON(): any;
}
declare var performance: Performance;
declare var Performance: any;
declare var crypto: WebCrypto & typeof import("crypto");
interface WebCrypto {
  randomUUID(): string;
  getRandomValues<T>(array: T): T;
  readonly subtle: any;
}
declare var Crypto: any;
declare var CryptoKey: any;
declare var SubtleCrypto: any;
interface CryptoKey {
  [key: string]: any;
}

interface Headers {
  get(name: string): string | null;
  set(name: string, value: string): void;
  has(name: string): boolean;
  append(name: string, value: string): void;
  delete(name: string): void;
  getSetCookie(): string[];
  forEach(callback: (value: string, key: string) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare var Headers: { new (init?: any): Headers };
interface Response {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: any;
  readonly bodyUsed: boolean;
  readonly redirected: boolean;
  readonly type: string;
  json(): Promise<any>;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<any>;
  bytes(): Promise<Uint8Array>;
  formData(): Promise<any>;
  clone(): Response;
}
declare var Response: {
  new (body?: any, init?: any): Response;
  json(data: any, init?: any): Response;
  error(): Response;
  redirect(url: any, status?: number): Response;
};
interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  [key: string]: any;
}
declare var Request: { new (input: any, init?: any): Request };
type RequestInit = any;
type ResponseInit = any;
type HeadersInit = any;
type BodyInit = any;

interface URLSearchParams {
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: any): void;
  append(name: string, value: any): void;
  delete(name: string, value?: string): void;
  forEach(callback: (value: string, key: string) => void): void;
  sort(): void;
  toString(): string;
  readonly size: number;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare var URLSearchParams: { new (init?: any): URLSearchParams };
interface URL {
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  readonly searchParams: URLSearchParams;
  toString(): string;
  toJSON(): string;
}
declare var URL: {
  new (url: string | URL, base?: string | URL): URL;
  canParse(url: any, base?: any): boolean;
  parse(url: any, base?: any): URL | null;
  createObjectURL(blob: any): string;
  revokeObjectURL(url: string): void;
};
declare var URLPattern: any;

interface TextEncoder {
  readonly encoding: string;
  encode(input?: string): Uint8Array;
  encodeInto(input: string, target: Uint8Array): { read: number; written: number };
}
declare var TextEncoder: { new (): TextEncoder };
interface TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: any, options?: any): string;
}
declare var TextDecoder: { new (label?: string, options?: any): TextDecoder };
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: any;
  throwIfAborted(): void;
  addEventListener(type: string, listener: any, options?: any): void;
  removeEventListener(type: string, listener: any, options?: any): void;
  [key: string]: any;
}
declare var AbortSignal: {
  timeout(ms: number): AbortSignal;
  any(signals: AbortSignal[]): AbortSignal;
  abort(reason?: any): AbortSignal;
};
interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}
declare var AbortController: { new (): AbortController };

interface Blob {
  readonly size: number;
  readonly type: string;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array>;
  slice(start?: number, end?: number, type?: string): Blob;
  stream(): any;
}
declare var Blob: { new (parts?: any, options?: any): Blob };
interface File extends Blob {
  readonly name: string;
  readonly lastModified: number;
}
declare var File: { new (parts: any, name: string, options?: any): File };
interface FormData {
  [key: string]: any;
}
declare var FormData: any;
interface Event {
  [key: string]: any;
}
declare var Event: any;
declare var EventTarget: any;
interface EventTarget {
  [key: string]: any;
}
declare var CustomEvent: any;
declare var ErrorEvent: any;
declare var MessageEvent: any;
declare var PromiseRejectionEvent: any;
declare var MessageChannel: any;
declare var MessagePort: any;
interface DOMException extends Error {
  readonly code: any;
}
declare var DOMException: {
  new (message?: string, name?: any): DOMException;
  readonly prototype: DOMException;
  readonly ABORT_ERR: number;
};
declare var QuotaExceededError: any;

interface ReadableStream<T = any> {
  [key: string]: any;
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
}
declare var ReadableStream: any;
declare var ReadableStreamDefaultReader: any;
declare var ReadableStreamBYOBReader: any;
declare var ReadableStreamBYOBRequest: any;
declare var ReadableStreamDefaultController: any;
declare var ReadableByteStreamController: any;
interface WritableStream<T = any> {
  [key: string]: any;
}
declare var WritableStream: any;
declare var WritableStreamDefaultWriter: any;
declare var WritableStreamDefaultController: any;
interface TransformStream<I = any, O = any> {
  [key: string]: any;
}
declare var TransformStream: any;
declare var TransformStreamDefaultController: any;
declare var ByteLengthQueuingStrategy: any;
declare var CountQueuingStrategy: any;
declare var TextEncoderStream: any;
declare var TextDecoderStream: any;
declare var CompressionStream: any;
declare var DecompressionStream: any;
declare var WebAssembly: any;
declare var Buffer: typeof import("buffer").Buffer;
