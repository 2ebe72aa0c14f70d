import { hash } from "node:crypto";

/** SHA-256, in hexadecimal digits. */
export function toHash(text: string): string {
  return hash("sha256", text, "hex");
}
