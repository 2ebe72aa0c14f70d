import { KeyholeError, ToolError, toKeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";

/** Lines of evidence, such as a dead server's stderr, that a program is told. */
const LAST_WORDS = 5;

/** The program catches one error, whatever went wrong: with the server's words, or with ours and the way out. */
export function toProgramError(error: unknown, server: string, tool: string): KeyholeError {
  if (error instanceof ToolError) return error;
  const failure = toKeyholeError(error);
  return new KeyholeError(failure.code, toToldText(failure), { server, tool });
}

export function toToldText(failure: KeyholeError): string {
  const { message, hint, details } = failure;
  if (failure instanceof ToolError) return message;
  const words = details.slice(-LAST_WORDS).map((line) => `\n  ${toExcerpt(line)}`);
  return `${hint === undefined ? message : `${message}. ${hint}`}${words.join("")}`;
}
