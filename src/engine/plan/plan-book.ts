import type { PendingCall } from "../../policy/approvals/approval.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import type { Call } from "../call/call.ts";
import { dependsOn, toStandIn } from "./stand-in.ts";

/** The writes that a program would make, in a pass in which it makes none. */
export type PlanBook = {
  readonly writes: readonly PendingCall[];
  /** Notes a write, and gives what stands in for its result. */
  add(call: Call & { readonly number: number }, reason: string): unknown;
  /** A call that is made for real: whether it depends on a stand-in is noted. */
  look(call: Call): void;
  /** Something was done for this pass alone, as in the state: what comes after it is not what it will be. */
  pretend(): void;
  /** Whether what comes from here on is to be asked for again. */
  readonly isGuess: boolean;
  /** From which call on the plan is a guess, since the program's way depends on what a write returns. */
  guessFrom(facts: ProgramFacts | undefined, hasFailed: boolean): number | undefined;
};

export function createPlanBook(): PlanBook {
  const writes: PendingCall[] = [];
  let hasPretended = false;
  let guessed: number | undefined;

  function note(number: number): void {
    guessed = Math.min(guessed ?? number, number);
  }

  function look({ number, args }: Pick<Call, "number" | "args">): void {
    if (number === undefined || writes.length === 0) return;
    const text = JSON.stringify(args);
    if (writes.some((write) => dependsOn(text, write.number))) note(number);
  }

  return {
    writes,
    look,
    pretend() {
      hasPretended = true;
    },
    get isGuess() {
      return hasPretended || writes.length > 0;
    },
    add(call, reason) {
      const { number, server, tool, args } = call;
      look(call);
      writes.push({ number, server: server.name, tool: tool.name, toolHash: tool.hash, args, reason });
      return toStandIn(tool, number);
    },
    guessFrom(facts, hasFailed) {
      for (const { from, to } of facts?.flows ?? []) {
        const source = writes.find(({ server, tool }) => from.server === server && from.tool === tool);
        const target = writes.find(
          ({ server, tool, number }) =>
            to.server === server && to.tool === tool && source !== undefined && number > source.number,
        );
        if (target) note(target.number);
      }
      const last = writes.at(-1);
      if (hasFailed && last) note(last.number + 1);
      return guessed;
    },
  };
}
