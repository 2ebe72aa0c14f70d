import { LOCAL_PRINCIPAL } from "../../session.ts";

/** Whose vault is meant. */
export function principalOf(options: Readonly<Record<string, unknown>>): string {
  return typeof options["principal"] === "string" ? options["principal"] : LOCAL_PRINCIPAL;
}
