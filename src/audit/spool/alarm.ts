import type { KeyholeError } from "../../errors.ts";

/** What is done while nothing can be written: nothing, or it goes on; or what is written waits, and is safe. */
export type AlarmState = "stopped" | "unrecorded" | "waiting";

/** Tells people, once, that nothing can be written, and once that it can again. */
export type Alarm = {
  update(
    failure: KeyholeError | undefined,
    about: { readonly lost: number; readonly state: AlarmState },
  ): void;
};

const MEANWHILE: Readonly<Record<AlarmState, string>> = {
  stopped: "nothing is run until it can be",
  unrecorded: "work goes on, and what happens now may be missing in it",
  waiting: "what happens now waits to be written",
};

export function createAlarm(onNotice: (text: string) => void): Alarm {
  let isTold = false;
  return {
    update(failure, { lost, state }) {
      if (isTold === (failure !== undefined)) return;
      isTold = !isTold;
      if (failure === undefined) {
        const loss = lost === 0 ? "" : `; ${lost} events were lost meanwhile`;
        onNotice(`The audit log is written again${loss}`);
        return;
      }
      const hint = failure.hint ? `. ${failure.hint}` : "";
      onNotice(`The audit log can't be written, ${MEANWHILE[state]}: ${failure.message}${hint}`);
    },
  };
}
