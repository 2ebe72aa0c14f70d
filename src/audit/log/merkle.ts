import { HASH_BYTES, hashOddly, isSameHash, toSha256 } from "./chain.ts";

const NODE = 0x01;
const node = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
node[0] = NODE;

/** `SHA-256(0x01 ‖ left ‖ right)`. */
function toNode(left: Uint8Array, right: Uint8Array): Buffer {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) return hashOddly(NODE, left, right);
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return toSha256(node);
}

/** The tree's hash of RFC 6962, of one leaf or more. Pairs level by level, the odd one goes up as it is: the same tree. */
export function toRoot(leaves: readonly Uint8Array[]): Uint8Array {
  let level = leaves;
  while (level.length > 1) level = toLevelAbove(level);
  const [root] = level;
  if (root === undefined) throw new RangeError("A tree has at least one leaf");
  return root;
}

function toLevelAbove(level: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const left = level[index];
    const right = level[index + 1];
    if (left !== undefined) above.push(right === undefined ? left : toNode(left, right));
  }
  return above;
}

/** Of the leaf at an index: the hashes beside the way to the root, from the bottom (`PATH` of RFC 6962). */
export function toInclusionPath(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  const path: Uint8Array[] = [];
  let level = leaves;
  let place = index;
  while (level.length > 1) {
    const beside = level[place % 2 === 0 ? place + 1 : place - 1];
    if (beside !== undefined) path.push(beside);
    level = toLevelAbove(level);
    place = Math.floor(place / 2);
  }
  return path;
}

/** Whether a leaf stands at an index of a tree with so many leaves (RFC 9162, 2.1.3.2). */
export function isIncluded(
  leaf: Uint8Array,
  { index, size, path, root }: Inclusion & { readonly root: Uint8Array },
): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let place = index;
  let last = size - 1;
  let found = leaf;
  let used = 0;
  while (last > 0) {
    const isRight = place % 2 === 1;
    if (isRight || place < last) {
      const beside = path[used++];
      if (beside === undefined || beside.length !== HASH_BYTES) return false;
      found = isRight ? toNode(beside, found) : toNode(found, beside);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return used === path.length && isSameHash(found, root);
}

export type Inclusion = {
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
};
