import type {
  Approval,
  ApprovalAnswer,
  AskPerson,
  PersonsAnswer,
} from "../engine/approvals/approvals-of-project.ts";
import { parseAnswer } from "../engine/approvals/parse-answer.ts";
import { toShownApproval } from "../engine/approvals/shown-approval.ts";
import { errorMessage, KeyholeError } from "../errors.ts";
import type { KeyholeOptions } from "./keyhole.ts";

type OnApproval = NonNullable<KeyholeOptions["onApproval"]>;

/**
 * Asks the function that whoever embeds Keyhole has given. One that throws, or gives what is no answer, has said no. One that never
 * gives any is left alone when its run ends.
 */
export function toAskOwner(onApproval: OnApproval, onNotice?: (text: string) => void): AskPerson {
  return {
    channel: "library",
    isWorthSlot: true,
    async ask(approval, signal) {
      const refuse = (reason: string, problem: string): PersonsAnswer => {
        if (!signal.aborted) onNotice?.(`onApproval failed, approval ${approval.id} is denied: ${problem}`);
        return { answer: { decision: "deny", reason }, by: "library, failed" };
      };
      // A copy: what is called must be what was asked for, whatever is done to this.
      const shown = structuredClone(toShownApproval(approval));
      let given: unknown;
      try {
        given = await onApproval(shown, { signal });
      } catch (error) {
        return refuse("it threw an error", errorMessage(error));
      }
      try {
        const answer = parseAnswer(given);
        assertNumbers(answer, approval);
        const onRefused = async (problem: string) => refuse(NO_ANSWER, problem);
        return { answer, by: "library", onRefused };
      } catch (error) {
        return refuse(NO_ANSWER, errorMessage(error));
      }
    },
  };
}

const NO_ANSWER = "what it returned is no answer";

function assertNumbers(answer: ApprovalAnswer, { calls }: Approval): void {
  const edited = Object.keys((answer.decision === "approve" ? answer.edits : undefined) ?? {});
  if (edited.every((key) => calls.some(({ number }) => String(number) === key))) return;
  throw new KeyholeError("usage", '"edits" has the number of a call that is not asked for');
}
