declare module "util" {
  namespace util {
    type InspectOptions = any;
    const inspect: {
      (value: any, ...options: any[]): string;
      readonly custom: symbol;
      defaultOptions: any;
      styles: any;
      colors: any;
    };
    const types: typeof import("util/types");
    const promisify: { (original: any): (...values: any[]) => Promise<any>; readonly custom: symbol };
    const TextEncoder: typeof globalThis.TextEncoder;
    const TextDecoder: typeof globalThis.TextDecoder;
    const MIMEType: any;
    const MIMEParams: any;
    function aborted(signal: any, resource: any): Promise<void>;
    function callbackify(work: any): (...values: any[]) => void;
    function debuglog(section: string, ...rest: any[]): any;
    function debug(section: string, ...rest: any[]): any;
    function deprecate<F>(work: F, message?: string, code?: string): F;
    function format(...values: any[]): string;
    function formatWithOptions(options: any, ...values: any[]): string;
    function inherits(child: any, parent: any): void;
    function isArray(value: any): value is any[];
    function isDeepStrictEqual(left: any, right: any): boolean;
    function parseArgs(config?: any): { values: any; positionals: string[]; tokens?: any[] };
    function parseEnv(text: string): { [name: string]: string };
    function stripVTControlCharacters(text: string): string;
    function styleText(format: any, text: string, options?: any): string;
    function toUSVString(text: string): string;
  }
  export = util;
}
declare module "util/types" {
  namespace types {
    function isAnyArrayBuffer(value: any): boolean;
    function isArgumentsObject(value: any): boolean;
    function isArrayBuffer(value: any): value is ArrayBuffer;
    function isArrayBufferView(value: any): value is ArrayBufferView;
    function isAsyncFunction(value: any): boolean;
    function isBigInt64Array(value: any): boolean;
    function isBigUint64Array(value: any): boolean;
    function isBooleanObject(value: any): boolean;
    function isBoxedPrimitive(value: any): boolean;
    function isDataView(value: any): value is DataView;
    function isDate(value: any): value is Date;
    function isFloat32Array(value: any): boolean;
    function isFloat64Array(value: any): boolean;
    function isGeneratorFunction(value: any): boolean;
    function isGeneratorObject(value: any): boolean;
    function isInt16Array(value: any): boolean;
    function isInt32Array(value: any): boolean;
    function isInt8Array(value: any): boolean;
    function isMap(value: any): value is Map<any, any>;
    function isMapIterator(value: any): boolean;
    function isModuleNamespaceObject(value: any): boolean;
    function isNativeError(value: any): value is Error;
    function isNumberObject(value: any): boolean;
    function isPromise(value: any): value is Promise<any>;
    function isProxy(value: any): boolean;
    function isRegExp(value: any): value is RegExp;
    function isSet(value: any): value is Set<any>;
    function isSetIterator(value: any): boolean;
    function isSharedArrayBuffer(value: any): boolean;
    function isStringObject(value: any): boolean;
    function isSymbolObject(value: any): boolean;
    function isTypedArray(value: any): boolean;
    function isUint16Array(value: any): boolean;
    function isUint32Array(value: any): boolean;
    function isUint8Array(value: any): value is Uint8Array;
    function isUint8ClampedArray(value: any): boolean;
    function isWeakMap(value: any): boolean;
    function isWeakSet(value: any): boolean;
  }
  export = types;
}
