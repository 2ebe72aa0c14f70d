import { expect, it } from "vitest";
import { KEPT_CLASSES } from "../../pii-classes.ts";
import { detectInJson, detectInText } from "./detect.ts";
import { learnName, noNames } from "./structure/names/known-names.ts";

const KEPT: ReadonlySet<string> = new Set(KEPT_CLASSES);

function inField(text: string): string[] {
  return detectInJson({ line: text }, { names: noNames() })
    .filter((finding) => !KEPT.has(finding.class))
    .map(({ class: name, start, end }) => `${name} ${text.slice(start, end)}`);
}

it("finds names in a field that is a sentence, and in one that is short where they are sure", () => {
  expect(inField("Please ask Nadia Haddad whether the second shipment may leave on Monday")).toEqual([
    "NAME Nadia Haddad",
  ]);
  expect(inField("Call back Nadia Haddad today")).toEqual(["NAME Nadia Haddad"]);
});

it.each([
  "Jenkins build failed on node Rosie",
  "The House on Mango Street",
  "State Street Global Advisors Fund",
  "Visual Studio Code Extension Pack",
  "Sprint 14 Retro and Planning",
])("leaves the title %j", (text) => {
  expect(inField(text)).toEqual([]);
});

it("takes a number that is all of a field for an airline's card, and one among words for none", () => {
  expect(inField("122000000000003")).toEqual(["CREDIT_CARD 122000000000003"]);
  expect(inField("job 122000000000003 ended")).toEqual([]);
  expect(inField("100000000000008")).toEqual([]);
});

it("finds in a text what its structure, its form and its sentences tell", () => {
  const text = "Contact: Nadia Haddad\nnadia@lab.example wrote that Omar Haddad will be at 12 Birch Lane";
  const found = detectInText(text, { names: noNames() }).map(
    ({ class: name, start, end }) => `${name} ${text.slice(start, end)}`,
  );
  expect(found).toEqual(
    expect.arrayContaining(["NAME Nadia Haddad", "EMAIL nadia@lab.example", "NAME Omar Haddad"]),
  );
});

it.each([
  ["login ok user=nora.lind@lab ip=-", ["EMAIL nora.lind@lab"]],
  ["<8b785d729ec3e0ef@mx.example.net>", []],
  ["npm install --save-dev vitest@1.6.0", []],
  ["_ownerid_value@OData.Community.Display.V1.FormattedValue", []],
  ["+447700974160", ["PHONE +447700974160"]],
])("in %j finds %j", (text, expected) => {
  expect(inField(text)).toEqual(expected);
});

it("finds ids with a known name in a text, and names that are all of a literal", () => {
  const names = noNames();
  learnName(names, "Nora Lindqvist");
  const found = (text: string, isLiteral = false) =>
    detectInText(text, { names, isLiteral }).map(
      ({ class: name, start, end }) => `${name} ${text.slice(start, end)}`,
    );
  expect(found("nora.lindqvist")).toEqual(["USER_ID nora.lindqvist"]);
  expect(found("see /home/nora_lindqvist/x")).toEqual(["USER_ID nora_lindqvist"]);
  expect(found("nora.lindqvist@lab.example")).toEqual(["EMAIL nora.lindqvist@lab.example"]);
  expect(found("Carlos Mendes", true)).toEqual(["NAME Carlos Mendes"]);
  expect(found("In Progress", true)).toEqual([]);
});
