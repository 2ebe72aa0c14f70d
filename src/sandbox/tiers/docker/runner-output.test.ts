import { describe, expect, it } from "vitest";
import { createRunnerOutput } from "./runner-output.ts";

/** What is handed on of these pieces, and the exit code that was told. */
async function read(toPieces: (mark: string) => readonly string[]) {
  let exit: number | undefined;
  const output = createRunnerOutput({
    onExit(code) {
      exit = code;
    },
    setPaused() {},
  });
  for (const piece of toPieces(output.mark)) output.push(Buffer.from(piece));
  output.end();
  const handed = Buffer.concat(await output.stream.toArray()).toString();
  return { exit, handed: handed.replace(output.mark.slice(0, 7), "(mark)").replace(/\(mark\)$/, "") };
}

describe("what a runner prints", () => {
  it("ends at the mark, however it comes and whatever comes behind it", async () => {
    for (let at = 0; at <= 43; at++) {
      const said = await read((mark) => {
        const whole = `a frame${mark}137from a process that is left`;
        return [whole.slice(0, at), whole.slice(at)];
      });
      expect([at, said.exit]).toEqual([at, 137]);
      // Less than half a frame's header, which can't be called back.
      expect(said.handed.replace("(mark)", "").slice(0, 7)).toBe("a frame");
      expect(said.handed).not.toContain("left");
    }
    expect(await read((mark) => [...`a frame${mark}000`])).toMatchObject({ exit: 0 });
  });

  it("is handed on as it is where there is none", async () => {
    expect(await read(() => ["one", "two", "x".repeat(100_000)])).toEqual({
      exit: undefined,
      handed: `onetwo${"x".repeat(100_000)}`,
    });
    const { exit, handed } = await read((mark) => [`a${mark.slice(0, 20)}`, "b"]);
    expect([exit, handed.length, handed.at(-1)]).toEqual([undefined, 22 - 7 + 6, "b"]);
  });
});
