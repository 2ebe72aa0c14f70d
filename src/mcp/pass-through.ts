import type { KeyholeError } from "../errors.ts";

/** What stands in the way of a body's bytes. */
export type Pass = {
  /** False when no more is wanted. */
  push(chunk: Uint8Array): Promise<boolean>;
  /** The body has ended. */
  end(): Promise<void>;
  /** Whatever happened, it is over. */
  close(): void;
};

export type Outlet = {
  send(chunk: Uint8Array): void;
  /** Ends the body with a failure. */
  cut(reason: KeyholeError): void;
};

/** A body that is read through something, no faster than it is asked for. (A `TransformStream` is not told of an abort.) */
export function passThrough(
  source: ReadableStream<Uint8Array>,
  create: (outlet: Outlet) => Pass,
  onCut: (reason: KeyholeError) => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let pass: Pass | undefined;
  let isOver = false;
  let hasSent = false;

  function over(): void {
    isOver = true;
    pass?.close();
  }

  async function step(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { value, done } = await reader.read();
    if (isOver) return;
    const isEnough = value !== undefined && (await pass?.push(value)) === false;
    if (isOver || !(done || isEnough)) return;
    if (done) await pass?.end();
    else reader.cancel().catch(() => {});
    if (isOver) return;
    over();
    controller.close();
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      pass = create({
        send(chunk) {
          if (isOver) return;
          hasSent = true;
          controller.enqueue(chunk);
        },
        cut(reason) {
          if (isOver) return;
          over();
          onCut(reason);
          controller.error(reason);
          reader.cancel().catch(() => {});
        },
      });
    },
    async pull(controller) {
      hasSent = false;
      try {
        while (!hasSent && !isOver) await step(controller);
      } catch (error) {
        if (!isOver) controller.error(error);
        over();
      }
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
}
