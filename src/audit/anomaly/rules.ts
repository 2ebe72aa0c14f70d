import type { RuleKind } from "./anomaly.ts";
import { credentialProbing } from "./rules/credential-probing.ts";
import { denialBurst } from "./rules/denial-burst.ts";
import { exfiltrationLoop } from "./rules/exfiltration-loop.ts";
import { firstHost, firstShape, firstTool } from "./rules/first-seen.ts";
import { massDelete } from "./rules/mass-delete.ts";
import { newcomer } from "./rules/newcomer.ts";
import { outputSize } from "./rules/output-size.ts";
import { pathProbing } from "./rules/path-probing.ts";
import { runawayPolling } from "./rules/runaway-polling.ts";
import { sandboxProbing } from "./rules/sandbox-probing.ts";
import {
  clientRate,
  personalData,
  rateSpike,
  spending,
  toolRateSpike,
  volumeIn,
  volumeOut,
} from "./rules/spikes.ts";
import { unusualHour } from "./rules/unusual-hour.ts";

/** What is looked for. The gravest first: of one cause the first that speaks is told. */
export const ANOMALY_RULES: readonly RuleKind[] = [
  exfiltrationLoop,
  massDelete,
  credentialProbing,
  sandboxProbing,
  pathProbing,
  denialBurst,
  runawayPolling,
  rateSpike,
  toolRateSpike,
  clientRate,
  volumeIn,
  volumeOut,
  outputSize,
  spending,
  personalData,
  unusualHour,
  newcomer,
  firstTool,
  firstHost,
  firstShape,
];
