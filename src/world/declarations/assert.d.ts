declare module "assert" {
  function assert(value: any, message?: any): void;
  namespace assert {
    class AssertionError extends Error {
      constructor(options?: any);
      actual: any;
      expected: any;
      operator: string;
      code: string;
      generatedMessage: boolean;
    }
    const Assert: any;
    const CallTracker: any;
    function ok(value: any, message?: any): void;
    function fail(...message: any[]): never;
    function equal(actual: any, expected: any, message?: any): void;
    function notEqual(actual: any, expected: any, message?: any): void;
    function strictEqual(actual: any, expected: any, message?: any): void;
    function notStrictEqual(actual: any, expected: any, message?: any): void;
    function deepEqual(actual: any, expected: any, message?: any): void;
    function notDeepEqual(actual: any, expected: any, message?: any): void;
    function deepStrictEqual(actual: any, expected: any, message?: any): void;
    function notDeepStrictEqual(actual: any, expected: any, message?: any): void;
    function partialDeepStrictEqual(actual: any, expected: any, message?: any): void;
    function throws(work: () => any, ...rest: any[]): void;
    function doesNotThrow(work: () => any, ...rest: any[]): void;
    function rejects(work: any, ...rest: any[]): Promise<void>;
    function doesNotReject(work: any, ...rest: any[]): Promise<void>;
    function match(text: string, pattern: RegExp, message?: any): void;
    function doesNotMatch(text: string, pattern: RegExp, message?: any): void;
    function ifError(value: any): void;
    const strict: typeof assert;
  }
  export = assert;
}
declare module "assert/strict" {
  import assert = require("assert");
  export = assert;
}
