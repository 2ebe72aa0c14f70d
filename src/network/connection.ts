import type { EgressReason } from "./egress-error.ts";

export type WebProtocol = "http" | "https";

/** For whom something goes out. */
export type EgressSource = { readonly runId: string; readonly principal: string };

/** One that was let through, before anything of it leaves: neither a name is looked up, nor is it dialled. */
export type OpeningConnection = {
  readonly id: string;
  readonly host: string;
  readonly port: number;
};

/** One attempt to reach something, as it is written down when it is over. */
export type WebConnection = {
  readonly runId: string;
  /** Once it was told that it is opened. */
  readonly id?: string;
  /** Empty where it could not be read. */
  readonly host: string;
  readonly port: number;
  readonly protocol: WebProtocol;
  readonly decision: "allow" | "deny";
  /** Why it was refused, or what ended it. */
  readonly failure?: { readonly reason: EgressReason; readonly message: string };
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly ms: number;
};

/** What a person should know of: something was refused, or a run moves much. */
export type EgressAlert = {
  readonly kind: "denied" | "volume";
  readonly runId: string;
  readonly text: string;
};

/** What a run has used. */
export type NetworkUse = {
  /** What it was let through to. */
  readonly hosts: readonly string[];
  readonly connections: number;
  readonly denied: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
};
