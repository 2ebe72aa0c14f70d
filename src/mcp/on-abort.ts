const followers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Tells when a signal is aborted. The calls of a program share its signal, and adding a listener to it and removing it costs
 * as much as writing a request: it gets one for all of them.
 */
export function followAbort(signal: AbortSignal, onAbort: () => void): void {
  const known = followers.get(signal);
  if (known !== undefined) {
    known.add(onAbort);
    return;
  }
  const all = new Set([onAbort]);
  followers.set(signal, all);
  signal.addEventListener("abort", () => {
    for (const follow of [...all]) follow();
  });
}

export function unfollowAbort(signal: AbortSignal, onAbort: () => void): void {
  followers.get(signal)?.delete(onAbort);
}
