/** `MAX_DEPTH` of ../json-weight.ts. */
const MAX_DEPTH = 512;

/**
 * The engine says of a value that is nested too deep that its stack is too small, and of one that is too long the like: the
 * value tells which of them it was.
 * @param {unknown} error
 * @param {unknown} value
 * @param {string} what
 */
export function explainDepth(error, value, what) {
  if (!(error instanceof RangeError) || !isDeep(value)) return error;
  return new RangeError(
    `${what} cannot be handed over: nested deeper than ${MAX_DEPTH} levels. Hand over a flatter value: a list of nodes that name their parents, for example`,
  );
}

/**
 * Goes down one branch at a time, without recursion.
 * @param {unknown} root
 */
function isDeep(root) {
  /** @type {Iterator<unknown>[]} */
  const path = [[root].values()];
  while (path.length > 0) {
    const { value, done } = path[path.length - 1]?.next() ?? { done: true };
    if (done) path.pop();
    else if (typeof value === "object" && value !== null) path.push(Object.values(value).values());
    if (path.length > MAX_DEPTH + 1) return true;
  }
  return false;
}
