import { expect, it } from "vitest";
import { findNamedByMail, findSenders } from "./senders.ts";

const show = (text: string, findings: readonly { class: string; start: number; end: number }[]) =>
  findings.map(({ class: name, start, end }) => `${name} ${text.slice(start, end)}`);

it.each([
  ["Ada Park <ada@lab>", ["NAME Ada Park", "EMAIL ada@lab"]],
  ['To: "Park, Bo", Bo Lind <bo@lab.example>', ["NAME Bo Lind", "EMAIL bo@lab.example"]],
  ["Use <b>bold</b> and List <string>", []],
  ["see <ada@lab>", []],
])("finds who sends in %j", (text, expected) => {
  expect(show(text, findSenders(text))).toEqual(expected);
});

it.each([
  ["- Abebe Bekele - abebe.bekele@lab - yes", ["NAME Abebe Bekele", "EMAIL abebe.bekele@lab"]],
  ["Contact Zoë Lind (zlind@lab)", ["NAME Zoë Lind", "EMAIL zlind@lab"]],
  ["mail=a.lind@lab for Bo Lind", []],
  ["mail=ann.lind@lab for Ann Lind", ["NAME Ann Lind", "EMAIL ann.lind@lab"]],
  ["Release Notes (news@lab.example)", []],
  ["Abebe Bekele\nabebe.bekele@lab", []],
])("finds the name that an address is made of in %j", (text, expected) => {
  expect(show(text, findNamedByMail(text))).toEqual(expected);
});

it.each(["<", "Ab <", "a@", "Ab Cd a@b "])("stays quick in a long text of %j", (part) => {
  const text = part.repeat(300_000);
  expect(findSenders(text)).toEqual([]);
  expect(findNamedByMail(text)).toEqual([]);
});
