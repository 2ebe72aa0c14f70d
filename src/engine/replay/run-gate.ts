import type { KeyholeError } from "../../errors.ts";
import type { RunDesk } from "../../policy/approvals/desk.ts";
import type { KeyholeCommand } from "../../text/keyhole-command.ts";
import type { PlanBook } from "../plan/plan-book.ts";
import type { DurableRun } from "./durable-run.ts";

/** What stands between the calls of one run and the world. */
export type RunGate = {
  /** Where a person is asked. */
  readonly desk: RunDesk;
  /** Our commands as the user can paste them. */
  readonly command?: KeyholeCommand;
  /** Its record, where it may have to start over. */
  readonly durable?: DurableRun;
  /** Its writes are asked for as a plan, and any that is not on it by itself, whatever rules say. */
  readonly isPlanned?: boolean;
  /** In a pass that only plans: what it would write. */
  readonly plan?: PlanBook;
  /** The run is: nobody hears of what comes of its calls. */
  readonly over: AbortSignal;
  /** Ends the run: nobody has answered yet. What it has sent comes to its end before. */
  wait(approval: string): Promise<void>;
  /** Before something is sent. It does not return where the run is about to end as waiting. */
  mayLeave(signal: AbortSignal): Promise<void> | undefined;
  /** Ends the run: its program goes another way than it did. That is not the program's to catch. */
  diverge(failure: KeyholeError): void;
  /** Ends the run: what became of a call can't be written down. Neither is that. */
  breakOff(failure: KeyholeError): void;
};
