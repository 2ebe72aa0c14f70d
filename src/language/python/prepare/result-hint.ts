import type { Tree } from "@lezer/common";
import { childNodes } from "../syntax-nodes.ts";

const MAX_NAME = 60;

/** What to end a program with that gave nothing back: the name that its last statement gives a value. */
export function toResultHint(tree: Tree, text: string): string | undefined {
  const last = childNodes(tree.topNode)
    .filter(({ name }) => name !== "Comment")
    .at(-1);
  const target =
    last?.name === "AssignStatement" || last?.name === "UpdateStatement" ? last.firstChild : undefined;
  if (target?.name !== "VariableName") return undefined;
  return `End it with: return ${text.slice(target.from, target.to).slice(0, MAX_NAME)}`;
}
