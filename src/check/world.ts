/**
 * What a program finds in the sandbox beside the language and the servers, as TypeScript declares it. No DOM, nothing of
 * Node: what is not there must be an error here. Where TypeScript's own declarations are stricter than the language
 * (`parseInt(5)`, `new Set()` of unknown things), they are loosened.
 */
export const WORLD = `
interface Console {
  log(...data: any[]): void; info(...data: any[]): void; warn(...data: any[]): void; error(...data: any[]): void;
  debug(...data: any[]): void; trace(...data: any[]): void; dir(item?: any, options?: any): void;
  table(data?: any, columns?: string[]): void; assert(condition?: any, ...data: any[]): void;
  group(...label: any[]): void; groupCollapsed(...label: any[]): void; groupEnd(): void;
  time(label?: string): void; timeEnd(label?: string): void; timeLog(label?: string, ...data: any[]): void;
  count(label?: string): void; countReset(label?: string): void; clear(): void;
}
declare var console: Console;
declare var global: typeof globalThis;

declare function setTimeout(handler: (...args: any[]) => void, ms?: number, ...args: any[]): any;
declare function setInterval(handler: (...args: any[]) => void, ms?: number, ...args: any[]): any;
declare function clearTimeout(id?: any): void;
declare function clearInterval(id?: any): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T, options?: any): T;
declare function atob(data: string): string;
declare function btoa(data: string): string;
declare var performance: { now(): number; timeOrigin: number };
declare var crypto: { randomUUID(): string; getRandomValues<T>(array: T): T; subtle: any };

interface Headers {
  get(name: string): string | null; set(name: string, value: string): void; has(name: string): boolean;
  append(name: string, value: string): void; delete(name: string): void;
  forEach(callback: (value: string, key: string) => void): void;
  entries(): IterableIterator<[string, string]>; keys(): IterableIterator<string>; values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare var Headers: { new (init?: any): Headers };
interface Response {
  readonly ok: boolean; readonly status: number; readonly statusText: string; readonly url: string;
  readonly headers: Headers; readonly body: any; readonly redirected: boolean; readonly type: string;
  json(): Promise<any>; text(): Promise<string>; arrayBuffer(): Promise<ArrayBuffer>; blob(): Promise<any>;
  bytes(): Promise<Uint8Array>; formData(): Promise<any>; clone(): Response;
}
declare var Response: { new (body?: any, init?: any): Response; json(data: any, init?: any): Response };
interface Request { readonly url: string; readonly method: string; readonly headers: Headers; [key: string]: any }
declare var Request: { new (input: any, init?: any): Request };
declare function fetch(input: string | URL | Request, init?: any): Promise<Response>;
declare const Buffer: any;
interface URLSearchParams {
  get(name: string): string | null; getAll(name: string): string[]; has(name: string): boolean;
  set(name: string, value: any): void; append(name: string, value: any): void; delete(name: string): void;
  forEach(callback: (value: string, key: string) => void): void; sort(): void; toString(): string; readonly size: number;
  entries(): IterableIterator<[string, string]>; keys(): IterableIterator<string>; values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare var URLSearchParams: { new (init?: any): URLSearchParams };
interface URL {
  href: string; readonly origin: string; protocol: string; username: string; password: string; host: string;
  hostname: string; port: string; pathname: string; search: string; hash: string;
  readonly searchParams: URLSearchParams; toString(): string; toJSON(): string;
}
declare var URL: { new (url: string | URL, base?: string | URL): URL; canParse(url: string, base?: string): boolean };
interface TextEncoder { encode(input?: string): Uint8Array }
declare var TextEncoder: { new (): TextEncoder };
interface TextDecoder { decode(input?: any, options?: any): string }
declare var TextDecoder: { new (label?: string, options?: any): TextDecoder };
interface AbortSignal { readonly aborted: boolean; readonly reason: any; [key: string]: any }
declare var AbortSignal: { timeout(ms: number): AbortSignal; any(signals: AbortSignal[]): AbortSignal; abort(reason?: any): AbortSignal };
interface AbortController { readonly signal: AbortSignal; abort(reason?: any): void }
declare var AbortController: { new (): AbortController };
declare var Blob: any; declare var File: any; declare var FormData: any; declare var Event: any; declare var EventTarget: any;
declare var ReadableStream: any; declare var WritableStream: any; declare var TransformStream: any;
declare var CompressionStream: any; declare var DecompressionStream: any; declare var WebAssembly: any;
interface Blob { [key: string]: any }
interface File { [key: string]: any }
interface FormData { [key: string]: any }

interface ToolError extends Error { readonly server: string; readonly tool: string; readonly code: ToolErrorCode; readonly content?: any[]; [key: string]: any }
type ToolErrorCode = "tool_failed" | "tool_unknown" | "bad_arguments" | "server_unavailable" | "timeout" | "cancelled" | "denied" | "limit";
declare var ToolError: { new (...args: any[]): ToolError; readonly prototype: ToolError };
type FoundTool = { server: string; tool: string; function: string; description?: string; definition?: string; [key: string]: any };
declare function searchTools(query?: string, detail?: "name" | "description" | "full" | { detail?: "name" | "description" | "full"; limit?: number }, limit?: number): Promise<{ total: number; tools: FoundTool[]; servers: { name: string; tools: number; status: string; about?: string }[]; [key: string]: any }>;
declare function emit(content: string | ArrayBuffer | ArrayBufferView | Blob | { type?: string; [key: string]: any } | readonly any[]): any;
/** What a call takes beside its arguments; a number is what \`map\` hands on, and is ignored. */
type $CallOptions = { readonly timeoutMs?: number; readonly signal?: AbortSignal } | number;

interface FileStats {
  isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean; size: number; mode: number;
  mtime: Date; ctime: Date; atime: Date; birthtime: Date; mtimeMs: number; [key: string]: any;
}
interface DirectoryEntry { name: string; parentPath: string; path: string; isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }
type TextEncoding = "utf8" | "utf-8" | "ascii" | "latin1" | "base64" | "base64url" | "hex" | "binary" | "utf16le" | "ucs2";
type FilePath = string | URL | Uint8Array;
interface FilePromises {
  readFile(path: FilePath, options: TextEncoding | { encoding: TextEncoding; [key: string]: any }): Promise<string>;
  readFile(path: FilePath, options?: null | { encoding?: null; [key: string]: any }): Promise<any>;
  writeFile(path: FilePath, data: string | ArrayBufferView | Iterable<string> | AsyncIterable<string>, options?: any): Promise<void>;
  appendFile(path: FilePath, data: string | ArrayBufferView, options?: any): Promise<void>;
  readdir(path: FilePath, options: { withFileTypes: true; recursive?: boolean; [key: string]: any }): Promise<DirectoryEntry[]>;
  readdir(path: FilePath, options?: any): Promise<string[]>;
  mkdir(path: FilePath, options?: any): Promise<string | undefined>;
  mkdtemp(prefix: string, options?: any): Promise<string>;
  rm(path: FilePath, options?: any): Promise<void>; rmdir(path: FilePath, options?: any): Promise<void>;
  unlink(path: FilePath): Promise<void>; rename(from: FilePath, to: FilePath): Promise<void>;
  copyFile(from: FilePath, to: FilePath, mode?: number): Promise<void>; cp(from: FilePath, to: FilePath, options?: any): Promise<void>;
  stat(path: FilePath, options?: any): Promise<FileStats>; lstat(path: FilePath, options?: any): Promise<FileStats>;
  access(path: FilePath, mode?: number): Promise<void>; realpath(path: FilePath, options?: any): Promise<string>;
  truncate(path: FilePath, length?: number): Promise<void>; open(path: FilePath, flags?: any, mode?: any): Promise<any>;
  opendir(path: FilePath, options?: any): Promise<any>;
  readonly constants: any;
}
type CallbackStyle = { [N in keyof FilePromises]: any };
interface NodeFiles extends CallbackStyle { readonly promises: FilePromises; exists(path: FilePath, callback: (isThere: boolean) => void): void }
declare var __keyhole: { fs: FilePromises; wholeFs: NodeFiles; importSkill(name: string): Promise<any> };

declare function parseInt(value: any, radix?: number): number;
declare function parseFloat(value: any): number;
declare function isNaN(value: any): boolean;
declare function isFinite(value: any): boolean;
declare function encodeURIComponent(value: any): string;
interface SetConstructor { new <T = any>(): Set<T> }
interface PromiseConstructor { new <T = any>(executor: (resolve: (value?: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void): Promise<T> }
interface ErrorConstructor { captureStackTrace(target: object, constructor?: Function): void }
`;

/** Names of other worlds, and what there is in their place. */
export const ABSENT: ReadonlyMap<string, string> = new Map([
  ["process", "There is no process and no environment in the sandbox"],
  ["require", 'Use import: import { readFile } from "node:fs/promises"'],
  ["module", "A program is no module: return its result"],
  ["exports", "A program is no module: return its result"],
  ["Deno", 'Use "node:fs/promises" for files in ./workspace; nothing else of Deno is there'],
  ["Bun", 'Use "node:fs/promises" for files in ./workspace'],
  ["__dirname", "Paths are relative: ./workspace, ./servers, ./skills"],
  ["__filename", "Paths are relative: ./workspace, ./servers, ./skills"],
  ["window", "There is no browser"],
  ["document", "There is no browser"],
  ["localStorage", "Write files in ./workspace"],
  ["fs", 'import fs from "node:fs/promises"'],
  ["path", "Join paths by hand: `./workspace/${name}`"],
  ["axios", "Use fetch"],
  ["setImmediate", "Use setTimeout or queueMicrotask"],
]);
