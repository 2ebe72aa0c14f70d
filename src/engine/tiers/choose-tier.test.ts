import { expect, it } from "vitest";
import { chooseTier, type TierChoice, type TierWish } from "./choose-tier.ts";

const NAMES = ["process", "docker", "vm"];

/** A line says what is wished and what is missing, and what comes of it: `docker risk`, `process level <vm`, `no vm mode`. */
const TABLE: readonly (readonly [wish: Partial<TierWish>, missing: string, came: string])[] = [
  // The level alone.
  [{ level: "low" }, "", "process level"],
  [{ level: "moderate" }, "docker vm", "process level"],
  [{ level: "high" }, "", "docker level"],
  [{ level: "maximum" }, "", "vm level"],
  // What is demanded is never weakened, nor replaced.
  [{ level: "high" }, "docker", "no docker level"],
  [{ level: "maximum" }, "vm", "no vm level"],
  [{ level: "maximum" }, "docker vm", "no vm level"],
  [{ mode: "vm" }, "vm", "no vm mode"],
  [{ asked: "docker" }, "docker", "no docker option"],
  [{ level: "low" }, "process", "no process level"],
  // A mode that names a tier means it, and a level that demands more holds.
  [{ mode: "process" }, "", "process mode"],
  [{ mode: "process", risk: "critical" }, "", "process mode"],
  [{ mode: "docker", risk: "critical" }, "", "docker mode"],
  [{ mode: "process", level: "high" }, "", "docker level"],
  [{ mode: "process", level: "high" }, "docker", "no docker level"],
  [{ mode: "vm", level: "high" }, "docker", "vm mode"],
  // The caller can ask for more, never for less.
  [{ asked: "vm" }, "", "vm option"],
  [{ asked: "process", level: "high" }, "", "docker level"],
  [{ asked: "process", mode: "vm" }, "", "vm mode"],
  [{ asked: "process", risk: "high" }, "", "docker risk"],
  [{ asked: "docker", mode: "docker" }, "", "docker option"],
  // A run goes on where it began, or in a stronger one.
  [{ began: "docker" }, "", "docker resume"],
  [{ began: "docker" }, "docker", "no docker resume"],
  [{ began: "docker", mode: "vm" }, "", "vm mode"],
  [{ began: "vm", risk: "high" }, "", "vm resume"],
  [{ began: "process", risk: "high" }, "", "docker risk"],
  // What the risk suggests, where it is there.
  [{ risk: "low" }, "", "process level"],
  [{ risk: "medium" }, "", "process level"],
  [{ risk: "high" }, "", "docker risk"],
  [{ risk: "critical" }, "", "vm risk"],
  [{ risk: "high", level: "high" }, "", "docker level"],
  [{ risk: "high", level: "maximum" }, "", "vm level"],
  [{ risk: "critical", level: "high" }, "", "vm risk"],
  // It falls to the strongest there is, and no lower than what is demanded.
  [{ risk: "high" }, "docker vm", "process level <docker"],
  [{ risk: "high" }, "docker", "vm risk"],
  [{ risk: "critical" }, "vm", "docker risk <vm"],
  [{ risk: "critical" }, "docker vm", "process level <vm"],
  [{ risk: "critical", level: "high" }, "vm", "docker level <vm"],
  [{ risk: "critical", level: "high" }, "docker", "vm risk"],
  [{ risk: "critical", level: "high" }, "docker vm", "no docker level"],
  [{ risk: "critical", asked: "docker" }, "vm", "docker option <vm"],
  // Nobody has heard of it: as what is strongest, and missing.
  [{ mode: "cloud" }, "", "no cloud mode"],
  [{ began: "__proto__" }, "", "no __proto__ resume"],
];

it.each(TABLE)("%o without %o is %s", async (wish, missing, came) => {
  expect(toText(await choose(wish, missing))).toBe(came);
});

it("a suggestion that is in no table falls like a missing one", async () => {
  const choice = await chooseTier(toWish({ risk: "critical" }), {
    names: ["process"],
    missing: async (name) => (name === "process" ? undefined : { why: "not here", fix: "" }),
  });
  expect(choice).toEqual({ ok: true, name: "process", by: "level", suggested: "vm" });
});

it("of a run that goes on it is still known why it began there", async () => {
  const went = { began: "docker", beganBy: "risk" } as const;
  expect(await choose(went, "")).toEqual({ ok: true, name: "docker", by: "resume", first: "risk" });
  expect(await choose({ ...went, asked: "vm" }, "")).toEqual({ ok: true, name: "vm", by: "option" });
});

it("asks no tier that makes no difference", async () => {
  const asked: string[] = [];
  await chooseTier(toWish({}), {
    names: NAMES,
    missing: async (name) => {
      asked.push(name);
      return undefined;
    },
  });
  expect(asked).toEqual(["process"]);
});

function toWish(wish: Partial<TierWish>): TierWish {
  return { level: "moderate", mode: "auto", ...wish };
}

function choose(wish: Partial<TierWish>, missing: string): Promise<TierChoice> {
  const gone = [...missing.split(" "), "cloud", "__proto__"];
  return chooseTier(toWish(wish), {
    names: NAMES,
    missing: async (name) => (gone.includes(name) ? { why: "not here", fix: "get it" } : undefined),
  });
}

function toText(choice: TierChoice): string {
  if (!choice.ok) return `no ${choice.name} ${choice.by}`;
  return [choice.name, choice.by, choice.suggested && `<${choice.suggested}`].filter(Boolean).join(" ");
}
