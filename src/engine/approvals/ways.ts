import type { KeyholeConfig } from "../../config/schema.ts";
import type { KeyholeCommand } from "../../text/keyhole-command.ts";

export type ApprovalWays = {
  /** Whether somebody can answer without being asked by the run. */
  readonly hasOtherWay: boolean;
  /** What the other ways that are named lack, a line each. */
  readonly closed: readonly string[];
  /** For the user: how this approval is answered. */
  answerBy(approvalId: string): string;
};

type Way = {
  readonly name: string;
  readonly isOpen: boolean;
  readonly lack: string;
  answerBy?(approvalId: string): string;
};

/** A way that is named in `approval.channels`, and not set up, leads to nobody. */
export function toApprovalWays(
  { approval, http }: Pick<KeyholeConfig, "approval" | "http">,
  command: KeyholeCommand,
): ApprovalWays {
  const ways: readonly Way[] = [
    {
      name: "cli",
      isOpen: true,
      lack: "",
      answerBy: (id) => `with ${command(`approvals approve ${id}`)}, or ${command(`approvals deny ${id}`)}`,
    },
    {
      name: "http",
      isOpen: Object.keys(http?.approvers ?? {}).length > 0,
      lack: 'for "http", the user\'s own config needs http.approvers, and keyhole serve --http must run',
      answerBy: (id) => `at /approvals/${id} of ${command("serve --http")}`,
    },
    {
      name: "webhook",
      isOpen: approval.webhook !== undefined && approval.webhook !== null,
      lack: 'for "webhook", the user\'s own config needs approval.webhook',
      answerBy: () => "where the webhook leads",
    },
    { name: "terminal", isOpen: false, lack: 'for "terminal", keyhole run must be started on one' },
    { name: "elicitation", isOpen: false, lack: 'for "elicitation", a client must be able to show forms' },
    { name: "library", isOpen: false, lack: 'for "library", createKeyhole must be given an onApproval' },
  ];
  const named = ways.filter(({ name }) => approval.channels.some((channel) => channel === name));
  const open = named.filter(({ isOpen }) => isOpen);
  return {
    hasOtherWay: open.length > 0,
    closed: named.flatMap(({ isOpen, lack }) => (isOpen ? [] : [lack])),
    answerBy(id) {
      const answers = open.flatMap(({ answerBy }) => answerBy?.(id) ?? []);
      if (answers.length === 0) return "The user is asked again when the program goes on";
      return `The user can answer ${answers.join("; or ")}`;
    },
  };
}
