/** What is measured: one table, for both ways out. Names are those of the MCP conventions where these have one. */
export const INSTRUMENTS = {
  "mcp.server.operation.duration": {
    kind: "histogram",
    unit: "s",
    about: "Time that a request of a client took, as Keyhole served it",
  },
  "mcp.client.operation.duration": {
    kind: "histogram",
    unit: "s",
    about: "Time that a call of a server took, as Keyhole waited for it",
  },
  "keyhole.runs": { kind: "counter", unit: "{run}", about: "Runs that ended, by status and kind of failure" },
  "keyhole.run.duration": {
    kind: "histogram",
    unit: "s",
    about: "Time from taking a run to its end, waiting for its turn included",
  },
  "keyhole.sandbox.starts": { kind: "counter", unit: "{start}", about: "Programs that entered a sandbox" },
  "keyhole.tokens.seen": { kind: "counter", unit: "{token}", about: "Tokens that models saw" },
  "keyhole.tokens.kept": { kind: "counter", unit: "{token}", about: "Tokens that stayed in the sandbox" },
  "keyhole.tokens.direct": {
    kind: "counter",
    unit: "{token}",
    about: "Tokens of calls and their results, had they been made directly; without the catalogue",
  },
  "keyhole.decisions": { kind: "counter", unit: "{decision}", about: "Decisions on calls and commands" },
  "keyhole.approvals": {
    kind: "counter",
    unit: "{approval}",
    about: "Questions to people, and their answers",
  },
  "keyhole.egress.connections": {
    kind: "counter",
    unit: "{connection}",
    about: "Connections of programs to the network, made or refused",
  },
  "keyhole.egress.bytes": { kind: "counter", unit: "By", about: "Bytes of programs' connections" },
  "keyhole.anomalies": { kind: "counter", unit: "{anomaly}", about: "Anomalies found, by rule and severity" },
  "keyhole.telemetry.dropped": {
    kind: "counter",
    unit: "{item}",
    about: "Spans and reports of metrics that could not be sent",
  },
} as const satisfies Record<string, Instrument>;

export type Instrument = {
  readonly kind: "counter" | "histogram";
  readonly unit: string;
  readonly about: string;
};

export type InstrumentName = keyof typeof INSTRUMENTS;

/** Seconds; those that the conventions for MCP ask for. */
export const BUCKETS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
