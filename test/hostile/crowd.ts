import { type Answer, connectAttacker } from "./attacker.ts";
import type { Gateway } from "./gateway.ts";
import type { Sample } from "./honest-session.ts";

export type Crowd = {
  readonly sessions: number;
  readonly programs: number;
  readonly token: string;
  /** Which program the n-th is. */
  toCode(n: number): string;
  readonly withinMs?: number;
};

export type CrowdSeen = {
  readonly honest: readonly Sample[];
  readonly answers: readonly Answer[];
  readonly tookMs: number;
};

/** Many programs at once from several sessions of one token, and what the honest session saw meanwhile. */
export async function attackAsCrowd(gateway: Gateway, crowd: Crowd): Promise<CrowdSeen> {
  const { honest, host } = gateway;
  const attackers = await Promise.all(
    Array.from({ length: crowd.sessions }, () => connectAttacker(gateway.url, crowd.token)),
  );
  const startedAt = Date.now();
  const answers = await Promise.all(
    Array.from({ length: crowd.programs }, (_, n) => {
      const attacker = attackers[n % attackers.length];
      if (attacker === undefined) throw new Error("A crowd has sessions");
      return attacker.run(crowd.toCode(n), { withinMs: crowd.withinMs ?? 60_000 });
    }),
  );
  const endedAt = Date.now();
  if (host.isAlive()) await honest.answeredSince(endedAt, 1, 60_000);
  await Promise.all(attackers.map((attacker) => attacker.close()));
  return { honest: honest.between(startedAt, endedAt), answers, tookMs: endedAt - startedAt };
}

/** One of each sort, in turn: time, memory, output, calls, types, text. */
const MIX: readonly string[] = [
  "for (;;);",
  "const a = []; for (;;) a.push(new Uint8Array(10_000_000).fill(1));",
  'for (;;) console.log("x".repeat(1000));',
  "await Promise.allSettled(Array.from({ length: 5_000 }, (_, n) => (math as any)[`adUp${n}`]({}))); return 1;",
  "await Promise.allSettled(Array.from({ length: 2_000 }, (_, n) => searchTools(`number ${n}`))); return 1;",
  "const v: any = Array(1_000_000).fill({}); emit(v); return v;",
  'return /^(a+)+$/.test("a".repeat(40) + "b");',
  "for (;;) await null;",
  `return ${"a".repeat(20_000)};`,
  "let;".repeat(2_000),
];

export const toMixedCode = (n: number) => `// ${n}\n${MIX[n % MIX.length]}`;

export function percentile(samples: readonly Sample[], share: number): number {
  const times = samples.map(({ startedAt, endedAt }) => endedAt - startedAt).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}
