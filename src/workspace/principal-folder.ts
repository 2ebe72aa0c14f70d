import { createHash } from "node:crypto";
import { LOCAL_PRINCIPAL } from "../session.ts";

/** A folder's name for somebody: told apart by the hash, read by people by the rest. */
export function toFolderName(principal: string): string {
  if (principal === LOCAL_PRINCIPAL) return LOCAL_PRINCIPAL;
  const readable = principal.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 24);
  return `${readable}-${toFolderHash(principal)}`;
}

export function toFolderHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
