import { KeyholeError } from "../../../errors.ts";
import type { FoundValues } from "../../../privacy/conceal/shown-values.ts";
import { hasToken } from "../../../privacy/token-text/has-token.ts";
import { isRecord } from "../../../text/is-record.ts";
import { mapTexts } from "../../../text/map-texts.ts";
import type { SharedWorkspaces } from "../../../workspace/shared-workspaces.ts";
import type { StateSpace } from "../../../workspace/state/state-space.ts";
import type {
  OnceWritten,
  StateEntry,
  StateOrigin,
  StateStore,
} from "../../../workspace/state/state-store.ts";
import { createTrialState } from "../../../workspace/state/trial-state.ts";
import type { Call } from "../../call/call.ts";
import { withFacts } from "../../call/program-calls.ts";
import { OWN_SERVER } from "../../call/record.ts";
import type { OwnCall } from "../../call/replay.ts";
import type { OwnTool } from "../own-tools.ts";

export type StateToolsContext = Pick<Call, "run" | "session"> & {
  readonly state: StateStore;
  readonly shared: SharedWorkspaces;
};

/** `state` of one program: what it may see and write, and how personal values come into its world. */
export function createStateTools({
  run,
  session,
  state,
  shared,
}: StateToolsContext): readonly (readonly [string, OwnTool])[] {
  const { privacy } = run;
  const plan = run.gate?.plan;
  const store = plan === undefined ? state : createTrialState(state, plan.pretend);
  const origin: StateOrigin = {
    hasTokens: privacy?.mode === "boundary",
    principal: session.principal,
  };

  function toSpace({ scope, shared: name }: Asked, access: "read" | "write"): StateSpace {
    if (name !== undefined) {
      shared.assertMay(session.principal, name, access);
      return { kind: "shared", name };
    }
    if (scope === "session") return { kind: "session", name: session.id };
    return { kind: "workspace", name: session.workspace };
  }

  /** As this program may see it. */
  async function enter(value: unknown, by: StateOrigin, { number }: OwnCall): Promise<unknown> {
    if (by.hasTokens && by.principal !== session.principal) throw othersTokens(by.principal);
    if (privacy === undefined) return value;
    if (by.hasTokens) return privacy.mode === "boundary" ? noted(value) : mapTexts(value, privacy.takeBack);
    const found: FoundValues = new Map();
    const from = { session: session.id, server: OWN_SERVER, callId: `${run.id} ${number ?? ""}`, found };
    const taken = await privacy.takeResult(value, from);
    if (taken === value) return value;
    run.trail?.found(found, "result", { server: OWN_SERVER, tool: "state" });
    // What stands for a value must mean the same tomorrow.
    await privacy.commit();
    return noted(taken);
  }

  function noted(value: unknown): unknown {
    if (hasToken(JSON.stringify(value) ?? "")) run.noteTokens?.();
    return value;
  }

  async function toAnswer(entry: StateEntry | undefined, own: OwnCall): Promise<object> {
    if (entry === undefined) return { version: 0 };
    const value = await enter(entry.value, entry.origin, own);
    return { version: entry.version, value };
  }

  function onceOf({ recorded }: OwnCall): { readonly once?: OnceWritten } {
    if (recorded === undefined || plan !== undefined) return {};
    const { number, argumentsHash } = recorded;
    return { once: { run: run.id, number, argumentsHash } };
  }

  const tool = (isRecorded: boolean, call: (asked: Asked, own: OwnCall) => Promise<unknown>): OwnTool => ({
    isRecorded,
    call: async (args, _signal, own) => withFacts(await call(readAsked(args), own), run),
  });

  return [
    [
      "stateGet",
      tool(false, async (asked, own) => toAnswer(await store.get(toSpace(asked, "read"), asked.key), own)),
    ],
    [
      "stateSet",
      tool(true, async (asked, own) => {
        const { key, value, expected } = asked;
        const write = { value, origin, ...(expected !== undefined && { expected }), ...onceOf(own) };
        const written = await store.set(toSpace(asked, "write"), key, write);
        if (written.isWritten) return { isWritten: true };
        return { isWritten: false, current: await toAnswer(written.current, own) };
      }),
    ],
    [
      "stateDelete",
      tool(true, (asked, own) => store.delete(toSpace(asked, "write"), asked.key, onceOf(own).once)),
    ],
    [
      "stateList",
      tool(false, async (asked, own) => {
        const keys = await store.list(toSpace(asked, "read"), asked.prefix);
        return Promise.all(keys.map(({ key, origin: by }) => enter(key, by, own)));
      }),
    ],
  ];
}

/** The program's word. */
type Asked = {
  readonly scope?: "session";
  readonly shared?: string;
  readonly key?: unknown;
  readonly value?: unknown;
  readonly expected?: number;
  readonly prefix?: string;
};

function readAsked(args: unknown): Asked {
  const { scope, shared, key, value, expected, prefix } = isRecord(args) ? args : {};
  if (prefix !== undefined && prefix !== null && typeof prefix !== "string")
    throw new KeyholeError("usage", "state.list takes the beginning of the keys, as a string");
  if (shared !== undefined && typeof shared !== "string")
    throw new KeyholeError("usage", "state.shared takes the name of a shared workspace");
  return {
    key,
    value,
    ...(scope === "session" && { scope }),
    ...(shared !== undefined && { shared }),
    ...(typeof expected === "number" && { expected }),
    ...(typeof prefix === "string" && { prefix }),
  };
}

/** In another's vault the same token stands for somebody else. */
function othersTokens(principal: string): KeyholeError {
  return new KeyholeError(
    "denied",
    `This was written by "${principal}" with tokens for personal values, which mean nothing to others`,
  );
}
