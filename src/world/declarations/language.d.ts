// The language where TypeScript's own declarations are stricter than it is.

declare function parseInt(value: any, radix?: number): number;
declare function parseFloat(value: any): number;
declare function isNaN(value: any): boolean;
declare function isFinite(value: any): boolean;
declare function encodeURIComponent(value: any): string;
interface SetConstructor {
  new <T = any>(): Set<T>;
}
interface PromiseConstructor {
  new <T = any>(
    executor: (resolve: (value?: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void,
  ): Promise<T>;
}
interface ErrorConstructor {
  captureStackTrace(target: object, constructor?: Function): void;
  stackTraceLimit: number;
}
