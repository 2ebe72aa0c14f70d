/**
 * Gives a piece of work a signal for the end of its time, beside those that end it otherwise. Not by `AbortSignal.any` over
 * `AbortSignal.timeout`: nothing holds the latter there, and one that the garbage collection has taken never comes.
 */
export async function withTimeLimit<T>(
  ms: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException(`It took more than ${ms} ms`, "TimeoutError")),
    ms,
  );
  try {
    return await work(AbortSignal.any([late.signal, ...signals]));
  } finally {
    clearTimeout(timer);
  }
}
