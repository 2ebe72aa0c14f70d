declare module "readline" {
  import EventEmitter = require("events");
  namespace readline {
    class Interface extends EventEmitter {
      constructor(input: any, ...rest: any[]);
      close(): void;
      pause(): this;
      resume(): this;
      prompt(keep?: boolean): void;
      setPrompt(text: string): void;
      getPrompt(): string;
      question(query: string, ...rest: any[]): any;
      write(data: any, key?: any): void;
      readonly line: string;
      readonly terminal: boolean;
      [Symbol.asyncIterator](): AsyncIterableIterator<string>;
    }
    function createInterface(input: any, ...rest: any[]): Interface;
    function clearLine(stream: any, direction: number, callback?: any): boolean;
    function clearScreenDown(stream: any, callback?: any): boolean;
    function cursorTo(stream: any, x: number, ...rest: any[]): boolean;
    function moveCursor(stream: any, dx: number, dy: number, callback?: any): boolean;
    const promises: typeof import("readline/promises");
  }
  export = readline;
}
declare module "readline/promises" {
  import callbacks = require("readline");
  namespace readline {
    export import Interface = callbacks.Interface;
    const Readline: any;
    function createInterface(input: any, ...rest: any[]): callbacks.Interface;
  }
  export = readline;
}
