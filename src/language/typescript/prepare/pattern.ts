const MAX_LENGTH = 100;

/** A name of the program's as part of a regular expression; a longer one is cut. */
export function toPattern(name: string): string {
  return name.slice(0, MAX_LENGTH).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
