import type { Egress } from "../../network/egress.ts";
import { trustedAuthorities } from "../../network/trusted-authorities.ts";
import type { Host, Program } from "../../sandbox/sandbox.ts";
import { isRecord } from "../../text/is-record.ts";
import { tellConnection, tellNoNetwork, tellOpening } from "../audit/network-events.ts";
import type { Run } from "./run-record.ts";

export type WayOut = {
  readonly program: Pick<Program, "network">;
  readonly host: Pick<Host, "connect">;
  close(): void;
};

/** What a program that has no way out asks for: refused in the sandbox, and told. In a plan nothing was to be sent. */
export function refuseFetch(run: Run, args: unknown): void {
  const url = isRecord(args) ? args["url"] : undefined;
  if (run.gate?.plan === undefined && typeof url === "string") tellNoNetwork(run, url);
}

/** Most programs use no network, and need no way out: JavaScript's name for it, and the modules of Python's. */
const MENTIONS = /fetch|urllib|http\.client|requests/;

const NONE: WayOut = { program: {}, host: {}, close() {} };

/** The network of one run: none, unless the config grants some, and the program can use it. */
export function openWayOut(run: Run, egress: Egress): WayOut {
  const { code, session } = run.request;
  // What a program sends is a write, too.
  if (!egress.isOpen || !MENTIONS.test(code) || run.gate?.plan !== undefined) return NONE;
  const way = egress.open(
    { runId: run.id, principal: session.principal },
    (connection) => {
      tellConnection(run, connection);
      run.noteConnection(connection);
    },
    (opening) => tellOpening(run, opening),
  );
  const ca = trustedAuthorities();
  // Where programs have values, which of them go out is for the log.
  const isNoted = run.trail !== undefined && run.privacy?.mode === "egress";
  return {
    program: { network: { ...(ca && { ca }), ...(isNoted && { isNoted }) } },
    host: { connect: way.accept },
    close() {
      way.close();
      run.noteNetwork(way.use);
    },
  };
}
