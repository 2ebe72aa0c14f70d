/** So long QEMU or what is in it may keep silent while something is awaited of it. Emulated, and on a busy host, it is slow. */
export const PATIENCE_MS = 30_000;

export const silent = (ms: number) => new Error(`The machine has not answered for ${ms / 1000} s`);

/** What waits for a machine waits so long. Whoever called ends the machine then. */
export function patiently<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silent(ms)), ms);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
