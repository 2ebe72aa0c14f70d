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
  };
  type DirEntry = { name: string; isFile: boolean; isDirectory: boolean; isSymlink: boolean };
  const stdin: {
    read(buffer: Uint8Array): Promise<number | null>;
    [counting: symbol]: (() => void) | undefined;
  };
  const stdout: { writeSync(bytes: Uint8Array): number };
  const args: readonly string[];
  function exit(code: number): never;
  function inspect(value: unknown, options: object): string;
  function readFile(path: string): Promise<Uint8Array>;
  function writeFile(
    path: string,
    data: Uint8Array,
    options: { append?: boolean; createNew?: boolean },
  ): Promise<void>;
  function readDir(path: string): AsyncIterable<DirEntry>;
  function mkdir(path: string, options: { recursive: boolean }): Promise<void>;
  function makeTempDir(options: { dir: string; prefix: string }): Promise<string>;
  function remove(path: string, options: { recursive: boolean }): Promise<void>;
  function rename(from: string, to: string): Promise<void>;
  function copyFile(from: string, to: string): Promise<void>;
  function stat(path: string): Promise<FileInfo>;
  function lstat(path: string): Promise<FileInfo>;
  function realPath(path: string): Promise<string>;
  function truncate(path: string, length: number): Promise<void>;
}
