import { ALL_CLASSES } from "../../pii-classes.ts";
import { findTokenShapes } from "./token-shapes.ts";

const CLASSES = [...ALL_CLASSES].sort((one, other) => other.length - one.length).join("|");
const BARE = new RegExp(`(?<![A-Za-z0-9_])(?:${CLASSES})_(?=~*\\d{1,18}(?!\\d))`, "g");
const TILDED = new RegExp(`(?<![A-Za-z0-9_])((?:${CLASSES})_)~(?=~*\\d{1,18}(?!\\d))`, "g");
const COULD_BE = /[A-Z]_[~\d]/;

/**
 * Data that is a token but for its brackets gets a tilde as well: a program that writes `[${title}]` must not make a token of it.
 * Tokens that stand in the text already are ours.
 */
export function escapeBareWords(text: string): string {
  if (!COULD_BE.test(text)) return text;
  const own = findTokenShapes(text).filter(({ kind, tildes }) => kind === "whole" && tildes === 0);
  return text.replace(BARE, (word, at: number) =>
    own.some(({ start, end }) => start <= at && at < end) ? word : `${word}~`,
  );
}

export function readBareWords(text: string): string {
  return COULD_BE.test(text) ? text.replace(TILDED, "$1") : text;
}
