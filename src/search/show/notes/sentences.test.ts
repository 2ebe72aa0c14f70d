import { expect, it } from "vitest";
import { toSentences } from "./sentences.ts";

it.each([
  ["One. Two. Three", ["One.", "Two.", "Three"]],
  ["A code, e.g. NOK. Two.", ["A code, e.g. NOK.", "Two."]],
  ["wrapped\nline\n\nnext", ["wrapped line", "next"]],
  ["List:\n- first\n- second", ["first", "second"]],
  ["查询天气。返回列表。", ["查询天气。", "返回列表。"]],
  ["Version 1.2 of it", ["Version 1.2 of it"]],
  ["", []],
])("splits %j", (text, sentences) => expect(toSentences(text)).toEqual(sentences));

it("reads only so much", () => {
  expect(toSentences("A b. ".repeat(10_000)).length).toBeLessThanOrEqual(60);
});
