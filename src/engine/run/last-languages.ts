import type { Session } from "../../session.ts";
import { toTurn } from "./session-keys.ts";

/** In which language the last program of each session was: its next search shows tools as programs in it call them. */
export type LastLanguages = {
  note(session: Session, language: string): void;
  of(session: Session): string | undefined;
  forget(session: Session): void;
};

const MAX_SESSIONS = 1_000;

export function createLastLanguages(): LastLanguages {
  const last = new Map<string, string>();
  return {
    note(session, language) {
      const key = toTurn(session);
      last.delete(key);
      last.set(key, language);
      const [oldest] = last.keys();
      if (last.size > MAX_SESSIONS && oldest !== undefined) last.delete(oldest);
    },
    of: (session) => last.get(toTurn(session)),
    forget: (session) => last.delete(toTurn(session)),
  };
}
