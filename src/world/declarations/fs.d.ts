interface FileStats {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
  size: number;
  mode: number;
  mtime: Date;
  ctime: Date;
  atime: Date;
  birthtime: Date;
  mtimeMs: number;
  ctimeMs: number;
  atimeMs: number;
  birthtimeMs: number;
  [key: string]: any;
}
interface DirectoryEntry {
  name: string;
  parentPath: string;
  path: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}
type TextEncoding =
  | "utf8"
  | "utf-8"
  | "UTF-8"
  | "UTF8"
  | "ascii"
  | "latin1"
  | "base64"
  | "base64url"
  | "hex"
  | "binary"
  | "utf16le"
  | "ucs2";
type FilePath = string | URL | Uint8Array;
type InText = TextEncoding | { encoding: TextEncoding; [key: string]: any };
type Done = (error: any, ...values: any[]) => void;

declare module "fs/promises" {
  namespace promises {
    type FileHandle = any;
    const constants: any;
    function readFile(path: FilePath, options: InText): Promise<string>;
    function readFile(path: FilePath, options?: any): Promise<any>;
    function writeFile(path: FilePath, data: any, options?: any): Promise<void>;
    function appendFile(path: FilePath, data: any, options?: any): Promise<void>;
    function readdir(
      path: FilePath,
      options: { withFileTypes: true; recursive?: boolean; [key: string]: any },
    ): Promise<DirectoryEntry[]>;
    function readdir(path: FilePath, options?: any): Promise<string[]>;
    function mkdir(path: FilePath, options?: any): Promise<string | undefined>;
    function mkdtemp(prefix: string, options?: any): Promise<string>;
    function rm(path: FilePath, options?: any): Promise<void>;
    function rmdir(path: FilePath, options?: any): Promise<void>;
    function unlink(path: FilePath): Promise<void>;
    function rename(from: FilePath, to: FilePath): Promise<void>;
    function copyFile(from: FilePath, to: FilePath, mode?: number): Promise<void>;
    function cp(from: FilePath, to: FilePath, options?: any): Promise<void>;
    function stat(path: FilePath, options?: any): Promise<FileStats>;
    function lstat(path: FilePath, options?: any): Promise<FileStats>;
    function access(path: FilePath, mode?: number): Promise<void>;
    function realpath(path: FilePath, options?: any): Promise<string>;
    function truncate(path: FilePath, length?: number): Promise<void>;
    function open(path: FilePath, flags?: any, mode?: any): Promise<any>;
    function opendir(path: FilePath, options?: any): Promise<any>;
    function symlink(target: FilePath, path: FilePath, type?: any): Promise<void>;
    function link(target: FilePath, path: FilePath): Promise<void>;
  }
  export = promises;
}
declare module "fs" {
  /** Without a callback a function gives a promise. */
  namespace fs {
    type Stats = FileStats;
    type Dirent = DirectoryEntry;
    type ReadStream = import("stream").Readable;
    type WriteStream = import("stream").Writable;
    type PathLike = FilePath;
    const constants: any;
    const promises: typeof import("fs/promises");
    function createReadStream(path: FilePath, options?: any): import("stream").Readable;
    function createWriteStream(path: FilePath, options?: any): import("stream").Writable;
    function exists(path: FilePath): Promise<boolean>;
    function exists(path: FilePath, callback: (isThere: boolean) => void): void;
    function existsSync(path: FilePath): boolean;
    function readFile(path: FilePath, callback: Done): void;
    function readFile(path: FilePath, options: any, callback: Done): void;
    function readFile(path: FilePath, options: InText): Promise<string>;
    function readFile(path: FilePath, options?: any): Promise<any>;
    function readFileSync(path: FilePath, options: InText): string;
    function readFileSync(path: FilePath, options?: any): any;
    function writeFile(path: FilePath, data: any, callback: Done): void;
    function writeFile(path: FilePath, data: any, options: any, callback: Done): void;
    function writeFile(path: FilePath, data: any, options?: any): Promise<void>;
    function writeFileSync(path: FilePath, data: any, options?: any): void;
    function appendFile(path: FilePath, data: any, callback: Done): void;
    function appendFile(path: FilePath, data: any, options: any, callback: Done): void;
    function appendFile(path: FilePath, data: any, options?: any): Promise<void>;
    function appendFileSync(path: FilePath, data: any, options?: any): void;
    function readdir(path: FilePath, callback: Done): void;
    function readdir(path: FilePath, options: any, callback: Done): void;
    function readdir(
      path: FilePath,
      options: { withFileTypes: true; recursive?: boolean; [key: string]: any },
    ): Promise<DirectoryEntry[]>;
    function readdir(path: FilePath, options?: any): Promise<string[]>;
    function readdirSync(
      path: FilePath,
      options: { withFileTypes: true; recursive?: boolean; [key: string]: any },
    ): DirectoryEntry[];
    function readdirSync(path: FilePath, options?: any): string[];
    function stat(path: FilePath, callback: Done): void;
    function stat(path: FilePath, options: any, callback: Done): void;
    function stat(path: FilePath, options?: any): Promise<FileStats>;
    function statSync(path: FilePath, options?: any): FileStats;
    function lstat(path: FilePath, callback: Done): void;
    function lstat(path: FilePath, options?: any): Promise<FileStats>;
    function lstatSync(path: FilePath, options?: any): FileStats;
    function mkdir(path: FilePath, ...rest: any[]): any;
    function mkdirSync(path: FilePath, options?: any): string | undefined;
    function mkdtemp(prefix: string, ...rest: any[]): any;
    function mkdtempSync(prefix: string, options?: any): string;
    function rm(path: FilePath, ...rest: any[]): any;
    function rmSync(path: FilePath, options?: any): void;
    function rmdir(path: FilePath, ...rest: any[]): any;
    function rmdirSync(path: FilePath, options?: any): void;
    function unlink(path: FilePath, ...rest: any[]): any;
    function unlinkSync(path: FilePath): void;
    function rename(from: FilePath, to: FilePath, ...rest: any[]): any;
    function renameSync(from: FilePath, to: FilePath): void;
    function copyFile(from: FilePath, to: FilePath, ...rest: any[]): any;
    function copyFileSync(from: FilePath, to: FilePath, mode?: number): void;
    function cp(from: FilePath, to: FilePath, ...rest: any[]): any;
    function cpSync(from: FilePath, to: FilePath, options?: any): void;
    function access(path: FilePath, ...rest: any[]): any;
    function accessSync(path: FilePath, mode?: number): void;
    function realpath(path: FilePath, ...rest: any[]): any;
    function realpathSync(path: FilePath, options?: any): string;
    function truncate(path: FilePath, ...rest: any[]): any;
    function truncateSync(path: FilePath, length?: number): void;
    function open(path: FilePath, ...rest: any[]): any;
    function opendir(path: FilePath, ...rest: any[]): any;
    function symlink(target: FilePath, path: FilePath, ...rest: any[]): any;
    function symlinkSync(target: FilePath, path: FilePath, type?: any): void;
    function link(target: FilePath, path: FilePath, ...rest: any[]): any;
    function linkSync(target: FilePath, path: FilePath): void;
  }
  export = fs;
}
