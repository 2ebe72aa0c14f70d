import { KeyholeError } from "../../errors.ts";
import type { FoundValues } from "../../privacy/conceal/shown-values.ts";
import type { Call } from "../call/call.ts";
import { withFacts } from "../call/program-calls.ts";
import { OWN_SERVER } from "../call/record.ts";
import type { OwnTool } from "./own-tools.ts";

/**
 * What a program has read from outside by itself, a text or a value of JSON, as it may see it. Only where programs see tokens: elsewhere
 * there is no such tool.
 */
export function createTakeText({ run, session }: Pick<Call, "run" | "session">): OwnTool["call"] | undefined {
  const { privacy } = run;
  if (privacy?.mode !== "boundary") return undefined;
  return async (asked, _signal, { number }) => {
    const value = toValue(asked);
    const found: FoundValues = new Map();
    const from = { session: session.id, server: OWN_SERVER, callId: `${run.id} ${number ?? ""}`, found };
    const taken = await privacy.takeResult(value, from);
    run.trail?.found(found, "page");
    if (taken === value) return value;
    run.noteTokens?.();
    // What stands for a value must mean the same tomorrow.
    await privacy.commit();
    return withFacts(taken, run);
  };
}

function toValue(asked: unknown): unknown {
  const { text, json = text } = Object(asked);
  if (json === undefined || (text !== undefined && typeof text !== "string"))
    throw new KeyholeError("usage", "takeText takes { text } or { json }");
  return json;
}
