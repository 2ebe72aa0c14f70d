import { type InputRequiredResult, inputRequired, type ServerContext } from "@modelcontextprotocol/server";
import type { Brought } from "../../../config/trust/brought.ts";
import type { Engine } from "../../../engine/engine.ts";
import { LOCAL_PRINCIPAL, type Session } from "../../../session.ts";
import { NO_TIMEOUT_MS } from "../ask-client.ts";
import { newState } from "../held-calls.ts";
import { isTrusting, type TrustForm, toTrustForm } from "./trust-form.ts";

/**
 * Asks the local user, by a client of either era, for what the project's folder brings, before the first call that needs it. The
 * answer is the client's word. Each thing is asked for once in a session, and calls at the same time share one question.
 */
export type TrustQuestions = {
  /** The question where it is to be the call's result; else nothing, and the call goes on with what is trusted by then. */
  ask(session: Session, how: "by request" | "by result", call: AskingCall): Promise<Asked>;
  /** Whether the state is that of a question of this session. Its answer is taken, once. */
  answer(session: Session, state: string, given: TrustAnswer): Promise<boolean>;
};

/** What the client says of itself comes with each request. */
type TrustAnswer = {
  readonly client: Session["client"];
  readonly responses: Readonly<Record<string, unknown>>;
};
type AskingCall = Pick<ServerContext["mcpReq"], "send" | "signal"> & Pick<TrustAnswer, "client">;
type Asked = InputRequiredResult | undefined;

type Memory = {
  /** What was asked for, by content. */
  readonly asked: Set<string>;
  /** Settles when the question that is open is answered, or nobody waits for it any more. */
  open: Promise<void> | undefined;
};

type Given = { readonly session: Session; readonly form: TrustForm; readonly close: () => void };

const FIELD = "trust";
/** A client of the newer era may never come back with an answer; it may come later. */
const OTHERS_WAIT_MS = 20_000;
const MAX_STATES = 1_024;

export function createTrustQuestions(
  { trust }: Pick<Engine, "trust">,
  onError: (error: Error) => void,
): TrustQuestions {
  const memories = new WeakMap<Session, Memory>();
  const states = new Map<string, Given>();

  function memoryOf(session: Session): Memory {
    const known = memories.get(session) ?? { asked: new Set(), open: undefined };
    memories.set(session, known);
    return known;
  }

  async function newForm({ asked }: Memory): Promise<TrustForm | undefined> {
    await trust.look();
    const items = trust.pending().filter((item) => !asked.has(keyOf(item)));
    for (const item of items) asked.add(keyOf(item));
    return toTrustForm(items);
  }

  async function take(session: Session, { shown }: TrustForm, response: unknown): Promise<void> {
    if (isTrusting(response))
      await trust.accept(
        shown.map(({ id }) => id),
        session,
      );
  }

  function toResult(session: Session, form: TrustForm, close: () => void): InputRequiredResult {
    const state = newState();
    const patience = setTimeout(close, OTHERS_WAIT_MS);
    patience.unref();
    const end = () => {
      clearTimeout(patience);
      close();
    };
    states.set(state, { session, form, close: end });
    for (const oldest of states.keys()) {
      if (states.size <= MAX_STATES) break;
      states.delete(oldest);
    }
    return inputRequired({
      inputRequests: { [FIELD]: inputRequired.elicit(form.params) },
      requestState: state,
    });
  }

  return {
    async ask(session, how, { send, signal, client }) {
      if (session.principal !== LOCAL_PRINCIPAL || !trust.mayElicit) return undefined;
      const memory = memoryOf(session);
      if (memory.open !== undefined) {
        await unlessGone(memory.open, signal);
        return undefined;
      }
      const close = open(memory);
      try {
        const form = await newForm(memory);
        if (form !== undefined && how === "by result") return toResult(session, form, close);
        if (form !== undefined) {
          const options = { signal, timeout: NO_TIMEOUT_MS };
          const params = { ...form.params };
          const response = await send({ method: "elicitation/create", params }, options);
          await take({ ...session, client }, form, response);
        }
      } catch (error) {
        onError(toError(error));
      }
      close();
      return undefined;
    },
    async answer(session, state, { client, responses }) {
      const given = states.get(state);
      if (given === undefined || given.session !== session) return false;
      states.delete(state);
      try {
        const response = Object.hasOwn(responses, FIELD) ? responses[FIELD] : undefined;
        await take({ ...session, client }, given.form, response);
      } catch (error) {
        onError(toError(error));
      }
      given.close();
      return true;
    },
  };
}

function open(memory: Memory): () => void {
  let settle = () => {};
  const opened = new Promise<void>((resolve) => {
    settle = resolve;
  });
  memory.open = opened;
  return () => {
    if (memory.open === opened) memory.open = undefined;
    settle();
  };
}

function keyOf({ id, accepted }: Brought): string {
  return `${accepted?.digest ?? "removed"} ${id}`;
}

function unlessGone(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const gone = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return Promise.race([work, gone]);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
