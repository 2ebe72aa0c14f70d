import type { KeyholeError } from "../errors.ts";
import type { AuditEvent, NewEvent } from "./event.ts";

/** Where events are written. `add` is cheap and keeps the order; `commit` makes them last. */
export type AuditLog = {
  /** Gives the event its name and time. Throws (`store_unusable`) where nothing may be done that can't be written down. */
  add(event: NewEvent): AuditEvent;
  /**
   * All that was added survives the end of this process when it returns (at once, in most cases) or the promise has settled.
   * Throws where nothing may be done that can't be written down; with `onFailure: continue` it never does.
   */
  commit(): void | Promise<void>;
  /** The same for all who ask in this turn, by one write. */
  commitTogether(): Promise<void>;
  /**
   * Tells something a few milliseconds later, with others, and before anything else is told or committed; then it is committed.
   * Nobody waits for it.
   * @param onFailure hears why nothing may be done that can't be written down
   */
  later(tell: () => void, onFailure: (error: unknown) => void): void;
  /** HMAC-SHA256 by the log's key, in hex. */
  hash(text: string | Uint8Array): string;
  /** Whoever listens is told after the event was added; what it throws is nobody's concern. */
  onEvent(listener: (event: AuditEvent) => void): { end(): void };
  /** Resolves when events can be taken; rejects with what stands against it, where that stops work. */
  ready(): Promise<void>;
  /** Resolves when all that was committed is in the log's tables, chained and signed. */
  settled(): Promise<void>;
  /** What keeps it from writing. */
  failure(): KeyholeError | undefined;
  close(): Promise<void>;
};

/** Where nothing is kept (`auditLogging: false`). */
export type AuditFailureMode = "stop" | "continue";
