export type KeyPath = readonly (string | number)[];

/** `servers.github.args[0]`; a name that is no plain word is quoted: `servers["my server"].env`. */
export function formatKeyPath(path: KeyPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!/^[\w$@/-]+$/.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}
