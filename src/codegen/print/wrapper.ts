/** The file of one tool, and what had to be mended to write it. */
export type Wrapper = { readonly code: string; readonly warnings: readonly string[] };

/** Longer descriptions are cut: models read these files. */
export const MAX_DESCRIPTION = 4000;
export const MAX_PARAMETER_DOC = 1000;
