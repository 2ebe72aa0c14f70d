/** Tells when more comes in than is reasonable within a while. What came before that while is forgiven. */
export type RateLimit = { isTooMuch(amount: number): boolean };

export function createRateLimit(max: number, windowMs: number): RateLimit {
  let start = 0;
  let sum = 0;
  return {
    isTooMuch(amount) {
      const now = Date.now();
      if (now - start > windowMs) {
        start = now;
        sum = 0;
      }
      sum += amount;
      return sum > max;
    },
  };
}
