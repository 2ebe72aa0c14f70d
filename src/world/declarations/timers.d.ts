declare module "timers" {
  namespace timers {
    function setTimeout(handler: (...args: any[]) => void, ms?: number, ...args: any[]): any;
    function setInterval(handler: (...args: any[]) => void, ms?: number, ...args: any[]): any;
    function setImmediate(handler: (...args: any[]) => void, ...args: any[]): any;
    function clearTimeout(id?: any): void;
    function clearInterval(id?: any): void;
    function clearImmediate(id?: any): void;
    const promises: typeof import("timers/promises");
  }
  export = timers;
}
declare module "timers/promises" {
  namespace timers {
    function setTimeout<T = void>(ms?: number, value?: T, options?: any): Promise<T>;
    function setInterval<T = void>(ms?: number, value?: T, options?: any): AsyncIterableIterator<T>;
    function setImmediate<T = void>(value?: T, options?: any): Promise<T>;
    const scheduler: { wait(ms?: number, options?: any): Promise<void>; yield(): Promise<void> };
  }
  export = timers;
}
