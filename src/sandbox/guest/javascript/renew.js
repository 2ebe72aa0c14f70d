/** Deno's own generator takes new randomness from the system after it has given out this much. */
const UNTIL_NEW_BYTES = 64 * 1024;

const random = crypto.getRandomValues.bind(crypto);

/**
 * Gives a process that is a copy of another randomness of its own. Deno's `crypto` is made to ask the system anew. `Math.random`,
 * which the engine has sown for good, becomes another one.
 * @param {Uint8Array} seed 32 bytes
 */
export function renewRandom(seed) {
  const spent = new Uint8Array(UNTIL_NEW_BYTES);
  for (let times = 0; times < 2; times++) random(spent);
  const state = random(new Uint32Array(4));
  const given = new Uint32Array(seed.slice(0, 16).buffer);
  const [a = 0, b = 0, c = 0, d = 0] = state.map((word, at) => word ^ (given[at] ?? 0));
  seed.fill(0);
  const next = createSfc32(a, b, c, d);
  Object.defineProperty(Math, "random", {
    ...Object.getOwnPropertyDescriptor(Math, "random"),
    value: { random: () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53 }.random,
  });
}

/**
 * A small fast generator of Chris Doty-Humphrey's, as good as the engine's own.
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} counter
 */
function createSfc32(a, b, c, counter) {
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let times = 0; times < 15; times++) next();
  return next;
}
