import type { Node } from "./program-tree.ts";
import { lookUp, type NameScope, type Scopes } from "./scopes.ts";
import type { Values } from "./values.ts";
import { findWatch, type LanguageNames } from "./watched.ts";

/** Tells whether a text was decoded on its way to a place: from base64, from the numbers of characters. */
export function createDecoding(
  scopes: Scopes,
  values: Values,
  names: LanguageNames,
): { isDecoded(node: Node | undefined, scope: NameScope): boolean } {
  function isDecoded(node: Node | undefined, scope: NameScope, left = { nodes: 400 }): boolean {
    if (!node || left.nodes-- <= 0) return false;
    const inside = (nodes: readonly Node[]) => nodes.some((one) => isDecoded(one, scope, left));
    switch (node.kind) {
      case "name":
        return (lookUp(node.name, scope)?.sources ?? []).some(
          (source) => "node" in source && source.node !== node && isDecoded(source.node, source.scope, left),
        );
      case "call": {
        // Also where it is handed on: `map(chr, codes)`.
        if ([node.callee, ...node.args].some((one) => isDecoding(one, scope))) return true;
        return isDecoded(node.callee, scope, left) || inside(node.args);
      }
      case "member":
        return isDecoded(node.object, scope, left);
      case "loop":
        return node.parts.some((one) => isDecoded(one, scopes.of(node), left));
      case "function":
        return node.body.some((one) => isDecoded(one, scopes.of(node), left));
      case "list":
        return inside(node.items);
      case "either":
        return inside(node.options);
      case "assign":
        return isDecoded(node.value, scope, left);
      case "sum":
      case "other":
        return inside(node.parts);
      default:
        return false;
    }
  }

  function isDecoding(node: Node, scope: NameScope): boolean {
    const value = node.kind === "name" || node.kind === "member" ? values.of(node, scope) : undefined;
    return value?.kind === "path" && findWatch(names, value)?.does === "decode";
  }

  return { isDecoded };
}
