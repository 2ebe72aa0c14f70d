declare module "events" {
  class EventEmitter<Events = any> {
    constructor(options?: any);
    on(event: any, listener: (...values: any[]) => void): this;
    once(event: any, listener: (...values: any[]) => void): this;
    off(event: any, listener: (...values: any[]) => void): this;
    emit(event: any, ...values: any[]): boolean;
    addListener(event: any, listener: (...values: any[]) => void): this;
    removeListener(event: any, listener: (...values: any[]) => void): this;
    prependListener(event: any, listener: (...values: any[]) => void): this;
    prependOnceListener(event: any, listener: (...values: any[]) => void): this;
    removeAllListeners(event?: any): this;
    listeners(event: any): any[];
    rawListeners(event: any): any[];
    listenerCount(event: any, listener?: any): number;
    eventNames(): any[];
    getMaxListeners(): number;
    setMaxListeners(count: number): this;
  }
  import Itself = EventEmitter;
  namespace EventEmitter {
    export import EventEmitter = Itself;
    const captureRejectionSymbol: symbol;
    // Its own workings, which stand beside the rest.
    let captureRejections: boolean;
    const init: any;
    const kMaxEventTargetListeners: symbol;
    const kMaxEventTargetListenersWarned: symbol;
    const usingDomains: boolean;
    const errorMonitor: symbol;
    let defaultMaxListeners: number;
    function addAbortListener(signal: any, listener: any): any;
    function getEventListeners(emitter: any, event: any): any[];
    function getMaxListeners(emitter: any): number;
    function listenerCount(emitter: any, event: any): number;
    function on(emitter: any, event: any, options?: any): AsyncIterableIterator<any[]>;
    function once(emitter: any, event: any, options?: any): Promise<any[]>;
    function setMaxListeners(count?: number, ...targets: any[]): void;
  }
  export = EventEmitter;
}
