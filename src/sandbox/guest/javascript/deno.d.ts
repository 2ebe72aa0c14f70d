/** What the runner uses of Deno, and nothing more: the program's world is made of this. */
declare namespace Deno {
  type FileInfo = {
    isFile: boolean;
    isDirectory: boolean;
    isSymlink: boolean;
    size: number;
    mtime: Date | null;
    atime: Date | null;
    birthtime: Date | null;
    ctime: Date | null;
    mode: number | null;
    /** Names it has; null where Deno is told that this is Windows. */
    nlink: number | null;
  };
  type DirEntry = { name: string; isFile: boolean; isDirectory: boolean; isSymlink: boolean };
  const stdin: {
    read(buffer: Uint8Array): Promise<number | null>;
    readSync(buffer: Uint8Array): number | null;
    [counting: symbol]: (() => void) | undefined;
  };
  const stdout: { writeSync(bytes: Uint8Array): number };
  const stderr: { writeSync(bytes: Uint8Array): number };
  const args: readonly string[];
  function exit(code: number): never;
  function inspect(value: unknown, options: object): string;
  type OpenOptions = {
    read: boolean;
    write: boolean;
    append: boolean;
    truncate: boolean;
    create: boolean;
    createNew: boolean;
  };
  type FsFile = {
    read(buffer: Uint8Array): Promise<number | null>;
    readSync(buffer: Uint8Array): number | null;
    write(bytes: Uint8Array): Promise<number>;
    writeSync(bytes: Uint8Array): number;
    seekSync(offset: number, whence: 0 | 1 | 2): number;
    statSync(): FileInfo;
    truncateSync(length: number): void;
    close(): void;
  };
  function openSync(path: string, options: OpenOptions): FsFile;
  function readDirSync(path: string): Iterable<DirEntry>;
  function mkdirSync(path: string, options: { recursive: boolean }): void;
  function removeSync(path: string, options: { recursive: boolean }): void;
  function renameSync(from: string, to: string): void;
  function lstatSync(path: string): FileInfo;
  function unrefTimer(id: number): void;
  const build: { readonly os: string };
  function memoryUsage(): {
    rss: number;
    heapTotal: number;
    heapUsed: number;
    external: number;
  };
}

/** Deno's Node layer; what of it programs get is declared in ../../world/declarations. */
declare module "node:*";
