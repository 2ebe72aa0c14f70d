import { type Answer, type Attacker, connectAttacker } from "./attacker.ts";
import { type Gateway, type GatewayOptions, LOCAL_TOKEN, startGateway } from "./gateway.ts";
import type { Observation } from "./judge.ts";

export type Attack = (attacker: Attacker, gateway: Gateway) => Promise<readonly Answer[]>;

/** An attack is over when its answers are there, or at the latest then. */
const CAP_MS = 75_000;
const AFTERWARDS_MS = 60_000;
/** What was asked of a host that died fails soon, and tells how long it waited. */
const DEAD_MS = 1_000;
const SAMPLES = 1;
/** A host that has grown by more is not the one to judge the next attack by. */
const FRESH_BELOW_BYTES = 200 * 1024 * 1024;

/** Attacks one after another on the same host; on a fresh one when it has died or grown. */
export function createArena(options: GatewayOptions = {}) {
  let gateway: Gateway | undefined;

  async function ready(): Promise<Gateway> {
    if (gateway && (!gateway.host.isAlive() || gateway.rssAboveStart() > FRESH_BELOW_BYTES)) await end();
    gateway ??= await startGateway(options);
    return gateway;
  }

  async function end(): Promise<void> {
    const ending = gateway;
    gateway = undefined;
    await ending?.end();
  }

  return {
    end,
    async attack(attack: Attack): Promise<Observation> {
      const current = await ready();
      const seen = await observe(current, attack);
      if (!seen.isAnsweredAfterwards) await end();
      return seen;
    },
  };
}

/** One attack, by a session of its own, and what was seen of the gateway meanwhile and afterwards. */
export async function observe(
  gateway: Gateway,
  attack: Attack,
  { token = LOCAL_TOKEN, capMs = CAP_MS } = {},
): Promise<Observation> {
  const { host, honest, undisturbedMs } = gateway;
  const attacker = await connectAttacker(gateway.url, token);
  gateway.forgetPeak();
  const startedAt = Date.now();
  const answers = await capped(attack(attacker, gateway), gateway, capMs);
  await honest.answeredSince(startedAt, SAMPLES, host.isAlive() ? AFTERWARDS_MS : DEAD_MS);
  const endedAt = Date.now();
  const isAnsweredAfterwards = await honest.answeredSince(endedAt, 1, host.isAlive() ? AFTERWARDS_MS : 0);
  await attacker.close();
  return {
    isAlive: host.isAlive(),
    fallen: host.fallen(),
    honest: honest.between(startedAt, endedAt),
    isAnsweredAfterwards,
    undisturbedMs,
    grownBytes: gateway.peakAboveStart(),
    answers,
  };
}

async function capped(
  attack: Promise<readonly Answer[]>,
  { host }: Gateway,
  capMs: number,
): Promise<readonly Answer[]> {
  const none = (why: string) => [{ came: false, why, ms: capMs }] as const;
  const over = new AbortController();
  const late = new Promise<readonly Answer[]>((resolve) => {
    const timer = setTimeout(() => resolve(none(`not within ${capMs} ms`)), capMs);
    const ended = () => resolve(none("the host ended"));
    host.child.once("exit", ended);
    over.signal.addEventListener("abort", () => {
      clearTimeout(timer);
      host.child.off("exit", ended);
    });
  });
  try {
    return await Promise.race([attack, late]);
  } finally {
    over.abort();
  }
}
