import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { KeyholeError } from "../errors.ts";

/** The text of a program; `-` is standard input. */
export async function readProgramFile(file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new KeyholeError("usage", `Cannot read "${file}"`, {
      hint: "Name a file that exists",
      cause: error,
    });
  }
}
