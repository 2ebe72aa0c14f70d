/** @typedef {{ names: string[], early: Set<string>, isClosed: boolean }} Inbox of a port: what was posted to it, and what has come before its turn */

/**
 * Messages between the ports of a program: when one comes is something that happens, too. Which one it is, is known by the order in
 * which they were posted. A port that is handed to another is followed no more.
 * @param {Pick<ReturnType<typeof import("./steady-order.js").createOrder>, "newWork" | "comes" | "drop">} order
 */
export function installMessages({ newWork, comes, drop }) {
  /** @type {WeakMap<object, Inbox>} */
  const inboxes = new WeakMap();
  /** @type {WeakMap<object, object>} */
  const others = new WeakMap();

  const Real = globalThis.MessageChannel;
  const MessageChannel = class MessageChannel extends Real {
    constructor() {
      super();
      const { port1, port2 } = this;
      for (const [port, other] of /** @type {const} */ ([
        [port1, port2],
        [port2, port1],
      ])) {
        inboxes.set(port, { names: [], early: new Set(), isClosed: false });
        others.set(port, other);
      }
    }
  };
  define(globalThis, "MessageChannel", MessageChannel);

  const { prototype } = MessagePort;
  const { postMessage, close } = prototype;
  const { dispatchEvent } = EventTarget.prototype;

  /** @this {MessagePort} @param {any[]} given */
  function post(...given) {
    Reflect.apply(postMessage, this, given);
    const other = others.get(this);
    if (other) inboxes.get(other)?.names.push(newWork());
  }

  /** Deno calls it for each message. @this {MessagePort} @param {Event} event */
  function dispatch(event) {
    const inbox = inboxes.get(this);
    const isOurs = event.isTrusted && (event.type === "message" || event.type === "messageerror");
    const name = isOurs ? inbox?.names.shift() : undefined;
    if (inbox === undefined || name === undefined) return Reflect.apply(dispatchEvent, this, [event]);
    // One that Deno has taken already comes after the port was closed, or not, as it happens.
    if (inbox.isClosed) return true;
    inbox.early.add(name);
    comes(name, () => {
      inbox.early.delete(name);
      Reflect.apply(dispatchEvent, this, [event]);
    });
    return true;
  }

  /** What has not had its turn comes no more. @this {MessagePort} */
  function end() {
    const inbox = inboxes.get(this);
    if (inbox) inbox.isClosed = true;
    for (const name of inbox?.early ?? []) drop(name);
    Reflect.apply(close, this, []);
  }

  define(prototype, "postMessage", post);
  define(prototype, "dispatchEvent", dispatch);
  define(prototype, "close", end);
}

/** @param {object} owner @param {string} name @param {unknown} value */
function define(owner, name, value) {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true });
}
