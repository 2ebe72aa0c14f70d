import type { LanguageNaming, ServerNames } from "../catalog/names.ts";
import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import type { Signature, SignatureStyle } from "./print/signature.ts";
import type { Wrapper } from "./print/wrapper.ts";
import type { TakenExport, WrittenImport } from "./skill-import.ts";

/** How tools are written in one language: their names, their signatures, and the files of `./servers`. */
export type Printer = {
  /** The language's. */
  readonly name: string;
  /** What else people and models call the language. */
  readonly aliases: readonly string[];
  /** Which of the catalogue's names it writes. */
  readonly naming: LanguageNaming;
  readonly extension: string;
  /** The name of the file that stands for a server's folder, without the extension. */
  readonly index: string;
  /** The files beside the servers' folders. */
  readonly rootFiles: readonly (readonly [name: string, text: string])[];
  folder(server: ServerNames): string;
  wrap(tool: ToolRecord, server: ServerRecord): Wrapper;
  indexFile(server: ServerRecord, modules: ReadonlyMap<ToolRecord, string>): string;
  signature(tool: ToolRecord, server: ServerRecord, style: SignatureStyle): Signature;
  /** The line that imports these exports of a skill. */
  importSkill(skill: string, exports: readonly TakenExport[]): WrittenImport;
  /** One line of a comment. */
  comment(line: string): string;
};

/** Longer instructions of a server are cut in its index. */
export const MAX_INSTRUCTIONS = 2000;
