import { basename, sep } from "node:path";
import { PROJECT_VARIABLE } from "../expand.ts";
import type { Places } from "../places.ts";
import { convertReferences, describeReference, toLiteral } from "../variables.ts";

export type EditorVariables = {
  places: Places;
  /** What stands for `${input:id}`; undefined keeps it as text. */
  input?(id: string): string | undefined;
};

/** Cursor's and VS Code's `${env:X}`, `${userHome}`, `${workspaceFolder}` and so on, in our syntax. */
export function convertEditorText(
  text: string,
  { places, input }: EditorVariables,
  note: (text: string) => void,
): string {
  return convertReferences(text, (inside) => {
    const converted = convertOne(inside, places, input);
    if (converted === undefined) note(`"${describeReference(inside)}" is not supported and stays as it is`);
    return converted;
  });
}

function convertOne(inside: string, places: Places, input: EditorVariables["input"]): string | undefined {
  const [, kind, value = ""] = /^(env|input):(.+)$/.exec(inside) ?? [];
  if (kind === "env") return /^[A-Za-z_]\w*$/.test(value) ? `\${${value}}` : undefined;
  if (kind === "input") return input?.(value);
  switch (inside) {
    case "userHome":
      return "${HOME}";
    case "workspaceFolder":
      return `\${${PROJECT_VARIABLE}}`;
    case "workspaceFolderBasename":
      return toLiteral(basename(places.projectDir));
    case "pathSeparator":
    case "/":
      return sep;
    default:
      return undefined;
  }
}
