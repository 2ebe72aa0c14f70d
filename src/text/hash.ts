import { hash } from "node:crypto";

/** SHA-256, in hexadecimal digits. */
export function toHash(text: string): string {
  return hash("sha256", text, "hex");
}

export function toBytesHash(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}
