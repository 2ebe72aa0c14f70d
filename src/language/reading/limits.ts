/** Characters. */
export const MAX_PROGRAM = 1024 * 1024;
/** That one program can import, directly or not. */
export const MAX_SKILLS = 200;
/** Characters of all of them. */
export const MAX_SKILLS_TEXT = 2 * 1024 * 1024;
/** What reading one program may take. An ordinary one takes 80 MB, most of it Node's own, and some milliseconds. */
export const MAX_MEMORY_BYTES = 768 * 1024 * 1024;
/** Of V8's own part of it; the rest is the parser's. */
export const MAX_HEAP_MB = 512;
/** Until the program is parsed. A megabyte of ordinary code takes a second. */
export const MAX_PREPARE_MS = 5_000;
/** After that. The check has a limit of its own, well below it, and is skipped then; this one is for what stands around it. */
export const MAX_CHECK_MS = 6_000;
/** Kilobytes of stack: the parser recurses. */
export const STACK_KB = 64 * 1024;
/** What it may answer: the code is not much longer than the program, and the places take 16 bytes a token. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
