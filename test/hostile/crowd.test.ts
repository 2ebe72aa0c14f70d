import { afterEach, describe, expect, it } from "vitest";
import { attackAsCrowd, toMixedCode } from "./crowd.ts";
import { expectNone } from "./expect-none.ts";
import { type Gateway, LOCAL_TOKEN, MALLORY_TOKEN, startGateway } from "./gateway.ts";
import { judge } from "./judge.ts";
import { canHold } from "./net.ts";

const config = { maxExecutionTime: 700, maxSleepTime: 15_000 };
const PRINCIPALS = { http: { tokens: { mallory: "${MALLORY_TOKEN}" } } };

let gateway: Gateway | undefined;
afterEach(async () => {
  await gateway?.end();
  gateway = undefined;
});

/** Beside a crowd nothing of the honest session's is refused, and nothing waits longer than a program may take. */
async function judgeCrowd(
  current: Gateway,
  sessions: number,
  programs: number,
  token: string,
): Promise<string[]> {
  current.forgetPeak();
  const seen = await attackAsCrowd(current, { sessions, programs, token, toCode: toMixedCode });
  const complaints = judge(
    {
      isAlive: current.host.isAlive(),
      fallen: current.host.fallen(),
      honest: seen.honest,
      isAnsweredAfterwards: true,
      undisturbedMs: current.undisturbedMs,
      grownBytes: current.peakAboveStart(),
      answers: [],
    },
    { ends: [] },
  );
  const unanswered = seen.answers.filter(({ came }) => !came);
  return unanswered.length === 0
    ? complaints
    : [...complaints, `Answer: ${unanswered.length} of ${programs} got none`];
}

describe.skipIf(!canHold)("a crowd", () => {
  it("of 30 hostile programs of one session lets another session through", async () => {
    gateway = await startGateway({ config });
    expectNone(await judgeCrowd(gateway, 1, 30, LOCAL_TOKEN));
  });

  it("of 30 sessions lets another session of the same principal through", async () => {
    gateway = await startGateway({ config });
    expectNone(await judgeCrowd(gateway, 30, 30, LOCAL_TOKEN));
  });

  it("of another principal lets the user through", async () => {
    gateway = await startGateway({ config: { ...config, ...PRINCIPALS } });
    expectNone(await judgeCrowd(gateway, 10, 30, MALLORY_TOKEN));
  });

  it("that is larger than the queue is told so, with words", async () => {
    gateway = await startGateway({ config });
    const loops = {
      sessions: 2,
      programs: 700,
      token: LOCAL_TOKEN,
      toCode: (n: number) => `for (;;) ${n};`,
      withinMs: 10_000,
    };
    const { answers } = await attackAsCrowd(gateway, loops);
    const refused = answers.flatMap((answer) =>
      answer.came && !["cpu", "timeout"].includes(answer.kind) ? [answer.text] : [],
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter((text) => !/wait|queue|busy|too many|again/i.test(text))).toEqual([]);
  });
});
