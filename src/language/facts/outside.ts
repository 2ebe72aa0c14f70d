/** Whether a path that a program writes leads out of its folder, as far as its words say. */
export function isOutside(path: string): boolean {
  const text = path.replaceAll("\\", "/");
  if (text.startsWith("file:") || text.startsWith("~")) return true;
  if (isDrive(text)) return true;
  if (text.startsWith("/")) return !isRooted(text);
  return climbs(text);
}

/** A program's own folders, from the root as it sees it. */
const ROOTS = ["/workspace", "/shared", "/servers", "/skills"];

function isRooted(text: string): boolean {
  return ROOTS.some((root) => text === root || text.startsWith(`${root}/`)) && !climbs(text.slice(1));
}

/** Out of where it began: `a/../..`. */
function climbs(text: string): boolean {
  let depth = 0;
  for (const part of text.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

function isDrive(text: string): boolean {
  const letter = text.charCodeAt(0) | 32;
  return text[1] === ":" && letter >= 97 && letter <= 122;
}
