declare module "path" {
  namespace path {
    interface ParsedPath {
      root: string;
      dir: string;
      base: string;
      ext: string;
      name: string;
    }
    type FormatInputPathObject = Partial<ParsedPath>;
    function basename(path: string, suffix?: string): string;
    function dirname(path: string): string;
    function extname(path: string): string;
    function format(path: FormatInputPathObject): string;
    function isAbsolute(path: string): boolean;
    function join(...parts: string[]): string;
    function matchesGlob(path: string, pattern: string): boolean;
    function normalize(path: string): string;
    function parse(path: string): ParsedPath;
    function relative(from: string, to: string): string;
    function resolve(...parts: string[]): string;
    function toNamespacedPath(path: string): string;
    const sep: string;
    const delimiter: string;
    const posix: typeof path;
  }
  export = path;
}
declare module "path/posix" {
  import path = require("path");
  export = path;
}
