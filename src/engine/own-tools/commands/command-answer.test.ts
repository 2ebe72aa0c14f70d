import { expect, it } from "vitest";
import { toCommandAnswer } from "./command-answer.ts";

const kept = (bytes: Uint8Array, cutBytes = 0) => ({ bytes, cutBytes });
const nothing = kept(new Uint8Array());
const euro = Buffer.from("a\u20ac");

it("leaves out the half of a character at a cut, and only there", () => {
  const half = euro.subarray(0, 3);
  const end = (stdout: ReturnType<typeof kept>) =>
    toCommandAnswer({ code: 0, stdout, stderr: nothing }, { encoding: "utf8" });
  expect(end(kept(half, 1))).toEqual({ code: 0, stdout: "a", stderr: "", cut: { stdout: 1 } });
  expect(end(kept(half))).toEqual({ code: 0, stdout: "a\ufffd", stderr: "", isBinary: true });
  expect(end(kept(euro))).toEqual({ code: 0, stdout: "a\u20ac", stderr: "" });
  expect(end(kept(new Uint8Array([255, 97]), 9))).toMatchObject({ stdout: "\ufffda", isBinary: true });
});

it("hands over bytes as base64 where they are asked for, and says what stopped it", () => {
  const end = {
    code: null,
    stdout: kept(new Uint8Array([0, 255])),
    stderr: nothing,
    stoppedBy: "time",
  } as const;
  expect(toCommandAnswer(end, { encoding: "buffer" })).toEqual({
    code: null,
    stdoutBase64: "AP8=",
    stderr: "",
    stoppedBy: "time",
  });
});
