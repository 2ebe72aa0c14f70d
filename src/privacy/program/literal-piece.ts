export type ProgramLanguage = "typescript" | "python";

/** Text in a program's literal, without its quotes; a template or format string has one between each two expressions. */
export type LiteralPiece = {
  readonly start: number;
  readonly end: number;
  /** Backslashes are text: `String.raw` and Python's `r"…"`. */
  readonly isRaw: boolean;
  /** Python's `b"…"`. */
  readonly isBytes: boolean;
  /** Python's `f"…"`, where braces are doubled. */
  readonly isFormat: boolean;
  /** Names a module: `import("…")`. */
  readonly isModule: boolean;
};

export type FoundLiterals = {
  readonly pieces: readonly LiteralPiece[];
  /** The first place that is in no literal but can't be in code; nothing behind it was read. */
  readonly lostAt?: number;
};
