declare module "process" {
  namespace process {
    const argv: string[];
    const argv0: string;
    const execArgv: string[];
    const execPath: string;
    const env: { [name: string]: any };
    let exitCode: number | string | undefined;
    const pid: number;
    const ppid: number;
    const title: string;
    const arch: string;
    const platform: string;
    const version: string;
    const versions: { node: string; v8: string; [name: string]: string };
    const release: { name: string; [key: string]: any };
    const features: any;
    const stdout: OutputStream;
    const stderr: OutputStream;
    const stdin: any;
    interface OutputStream {
      write(chunk: any, ...rest: any[]): boolean;
      end(...rest: any[]): any;
      readonly isTTY: boolean;
      readonly writable: boolean;
      readonly fd: number;
      readonly columns: number;
      readonly rows: number;
      on(event: string, listener: any): any;
      once(event: string, listener: any): any;
      off(event: string, listener: any): any;
      emit(event: string, ...values: any[]): boolean;
      removeListener(event: string, listener: any): any;
      [key: string]: any;
    }
    const hrtime: { (since?: [number, number]): [number, number]; bigint(): bigint };
    function cwd(): string;
    function chdir(path: string): void;
    function nextTick(callback: (...values: any[]) => void, ...values: any[]): void;
    function exit(code?: any): never;
    function abort(): never;
    function memoryUsage(): {
      rss: number;
      heapTotal: number;
      heapUsed: number;
      external: number;
      arrayBuffers: number;
    };
    function cpuUsage(since?: any): { user: number; system: number };
    function resourceUsage(): any;
    function uptime(): number;
    function umask(mask?: any): number;
    function getuid(): number;
    function getgid(): number;
    function geteuid(): number;
    function getegid(): number;
    function emitWarning(warning: any, ...rest: any[]): void;
    function on(event: any, listener: (...values: any[]) => void): typeof process;
    function once(event: any, listener: (...values: any[]) => void): typeof process;
    function off(event: any, listener: (...values: any[]) => void): typeof process;
    function addListener(event: any, listener: (...values: any[]) => void): typeof process;
    function removeListener(event: any, listener: (...values: any[]) => void): typeof process;
    function removeAllListeners(event?: any): typeof process;
    function prependListener(event: any, listener: (...values: any[]) => void): typeof process;
    function emit(event: any, ...values: any[]): boolean;
    function listeners(event: any): any[];
    function listenerCount(event: any): number;
    function setMaxListeners(count: number): typeof process;
  }
  export = process;
}
