import { expect, it } from "vitest";
import { showLookAlikes, showLookAlikesInName } from "./look-alikes.ts";

it.each([
  ["ann@cоrp.com", "ann@c\\u043erp.com"],
  ["https://раураl.com", "https://\\u0440\\u0430\\u0443\\u0440\\u0430l.com"],
  ["сосо.com", "\\u0441\\u043e\\u0441\\u043e.com"],
  ["ａdmin 𝐚dmin", "\\uff41dmin \\ud835\\udc1admin"],
  ["plain ascii-text_1", "plain ascii-text_1"],
  ["а он поехал в Рим с Hello", "а он поехал в Рим с Hello"],
  ["名前 naïve Zürich", "名前 naïve Zürich"],
])("in a text, %s is shown as %s", (text, shown) => {
  expect(showLookAlikes(text)).toBe(shown);
});

it.each([
  ["сс", "\\u0441\\u0441"],
  ["tо", "t\\u043e"],
  ["имя", "имя"],
  ["名前", "名前"],
  ["to", "to"],
])("in a name, %s is shown as %s", (name, shown) => {
  expect(showLookAlikesInName(name)).toBe(shown);
});

it("leaves JSON the same JSON", () => {
  const value = { tо: "cоrp 𝐚", "а\\u": ["х\n"] };
  expect(JSON.parse(showLookAlikes(JSON.stringify(value)))).toEqual(value);
});
