import { SHARED_NAME } from "../config/workspace/schema-words.ts";
import { KeyholeError } from "../errors.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import { SHARED_FOLDER } from "../store/own-tree.ts";
import { toExcerpt } from "../text/plain-text.ts";
import { toFolderName } from "./principal-folder.ts";

/** One workspace: a principal's own, or one that is shared by name. */
export type WorkspaceId = { readonly kind: "own" | "shared"; readonly name: string };

export const LOCAL_WORKSPACE: WorkspaceId = { kind: "own", name: LOCAL_PRINCIPAL };

/** As people and the commands call it: `local`, `ada`, `shared/notes`. */
export function toWorkspaceText({ kind, name }: WorkspaceId): string {
  return kind === "own" ? name : `${SHARED_FOLDER}/${name}`;
}

export function parseWorkspaceText(text: string): WorkspaceId {
  const [first, second, ...rest] = text.split("/");
  if (first === SHARED_FOLDER && second !== undefined) {
    if (rest.length === 0 && SHARED_NAME.test(second)) return { kind: "shared", name: second };
  } else if (second === undefined && first !== undefined && PRINCIPAL.test(first)) {
    return { kind: "own", name: first };
  }
  throw new KeyholeError("usage", `"${toExcerpt(text, 80)}" is no workspace`, {
    hint: `A principal's name, such as "${LOCAL_PRINCIPAL}", or "${SHARED_FOLDER}/NAME"`,
  });
}

/** Whatever a front has let in: its folder is named by a hash. */
const PRINCIPAL = /^[^\p{C}/\\]{1,200}$/u;

/** Of files that are about it: no name of a principal's leads anywhere. */
export function toFileName({ kind, name }: WorkspaceId): string {
  return kind === "own" ? `own-${toFolderName(name)}` : `shared-${name}`;
}
