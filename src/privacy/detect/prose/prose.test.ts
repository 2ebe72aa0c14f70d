import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findInProse } from "./prose.ts";

const found = (text: string, options?: Parameters<typeof findInProse>[1]) =>
  findInProse(text, options).map((finding) => `${finding.class} ${text.slice(finding.start, finding.end)}`);

const of = (wanted: string, text: string) =>
  found(text).flatMap((one) => (one.startsWith(`${wanted} `) ? [one.slice(wanted.length + 1)] : []));

describe("persons", () => {
  it.each([
    ["I spoke with Marta Kowalczyk about it", ["Marta Kowalczyk"]],
    ["My name is Deshawn Okonkwo-Reyes but call me Dex", ["Deshawn Okonkwo-Reyes", "Dex"]],
    ["Dear Helga,\nthe parcel is on its way", ["Helga"]],
    ["Thanks,\nMike", ["Mike"]],
    ["Ludwig van der Meer wrote to Anna's mother", ["Ludwig van der Meer", "Anna"]],
    ["Dr. Ibáñez and Mrs. Fleetwood signed", ["Ibáñez", "Fleetwood"]],
    ["The singer Þorgerður Hallsdóttir sang", ["Þorgerður Hallsdóttir"]],
    ["Present: Tomasz, Ingrid, Bowie and Rosalind.", ["Tomasz", "Ingrid", "Bowie", "Rosalind"]],
    ["J. R. Thornbury joined the call", ["J. R. Thornbury"]],
    ["We met Sofia McAllister. Later McAllister left.", ["Sofia McAllister", "McAllister"]],
    ["i think wendy olsen called, and mr. brandt too", ["wendy olsen", "brandt"]],
    ["my name is krithika and i need help", ["krithika"]],
  ])("%s", (text, names) => expect(of("NAME", text)).toEqual(names));

  it("knows the names of the session", () => {
    const text = "Send it to Quillfeather today";
    expect(found(text)).toEqual([]);
    expect(found(text, { known: ["Orla Quillfeather"] })).toEqual(["NAME Quillfeather"]);
  });

  it("tells titles and jobs from names", () => {
    expect(found("Mr. Lindqvist called")).toEqual(["TITLE Mr.", "NAME Lindqvist"]);
    expect(found("Clara Novak, the civil engineer, agreed")).toEqual([
      "NAME Clara Novak",
      "TITLE civil engineer",
    ]);
  });
});

describe("companies", () => {
  it.each([
    ["Invoice from Brightwater Logistics GmbH for May", ["Brightwater Logistics GmbH"]],
    ["She works for Zenvora", ["Zenvora"]],
    ["Halloway, Bright and Moss was founded in 1988", ["Halloway, Bright and Moss"]],
    ["Acme, Inc. has paid", ["Acme, Inc."]],
    ["Erik Dahl\nNordlys Data\n14 Harbour Road\nBergen", ["Nordlys Data"]],
  ])("%s", (text, companies) => expect(of("COMPANY", text)).toEqual(companies));
});

describe("addresses", () => {
  it.each([
    [
      "Deliver to 221B Tanner Street, London SE1 3QW, United Kingdom.",
      "221B Tanner Street, London SE1 3QW, United Kingdom",
    ],
    ["Bitte an Gartenstraße 12, 10115 Berlin senden", "Gartenstraße 12, 10115 Berlin"],
    ["j'habite au 14 rue de la Fontaine, 75016 Paris.", "14 rue de la Fontaine, 75016 Paris"],
    ["vive en Calle Alcalá 45, 28014 Madrid.", "Calle Alcalá 45, 28014 Madrid"],
    ["742 Maple Avenue\nApt. 5\nDayton, OH 45402\nUSA", "742 Maple Avenue\nApt. 5\nDayton, OH 45402\nUSA"],
    ["Meet me at the corner of Oak Street and Pine Road", "the corner of Oak Street and Pine Road"],
    ["Send mail to P.O. Box 1207", "P.O. Box 1207"],
    ["PSC 3, Box 1187\nAPO AE 09021", "PSC 3, Box 1187\nAPO AE 09021"],
    ["she lives at ul. Piękna 24, Warszawa", "ul. Piękna 24, Warszawa"],
    ["ship it to 9 elm street apt 4 please", "9 elm street apt 4"],
  ])("%s", (text, address) => expect(of("ADDRESS", text)).toEqual([address]));
});

describe("places, dates and numbers", () => {
  it.each([
    ["He flew from Lisbon to New Zealand", ["LOCATION Lisbon", "LOCATION New Zealand"]],
    ["She grew up in Kirchbrunnau", ["LOCATION Kirchbrunnau"]],
    ["The Norwegian team and two Americans", ["NATIONALITY Norwegian", "NATIONALITY Americans"]],
    ["Born on 4 July 1971, moved in 1990", ["DATE_OF_BIRTH 4 July 1971", "DATE 1990"]],
    ["on 2024-02-29 13:45:10 and 3/14/2021", ["DATE 2024-02-29 13:45:10", "DATE 3/14/2021"]],
    ["due January 12, 2026", ["DATE January 12, 2026"]],
    ["she is 34 years old", ["AGE 34"]],
    ["zip code 90210", ["POSTAL_CODE 90210"]],
    ["see https://shop.example.org/a?b=1 or example.com.", ["DOMAIN shop.example.org", "DOMAIN example.com"]],
  ])("%s", (text, findings) => expect(found(text)).toEqual(findings));
});

describe("what is not personal", () => {
  it.each([
    "Returns the list of open issues in a repository, sorted by date",
    "Use Search Console to List All Pages of Your Site",
    "Version 1.2.10 costs $19.99 (order #4512, SKU AB-1234)",
    "Will you mark the bill as paid in May or March?",
    "Capitalised words like Wisdom and Discipline are no names",
    "Kubernetes, Docker and Jenkins are required. Run Maven Install.",
    "const total = items.reduce((sum, item) => sum + item.price, 0);",
    "2f1c9a77-3c1e-4c55-9f7e-0d3b1c8b2a10 sha256:9b74c9897bac770ffc029102a200c5de",
    "GET /api/v1/users 404 TypeError: Cannot read properties of undefined (reading 'name')",
    "Fetch mail via IMAP, then send it via SMTP",
    "README.md, main.py and index.test.ts were changed",
    "The Quick Start Guide explains How To Install The Command Line Tool",
  ])("%s", (text) => expect(found(text)).toEqual([]));
});

describe("any text", () => {
  it("leaves alone what was found by value", () => {
    const text = "Mail anna.berg@example.org, or Anna Berg";
    const found = [{ class: "EMAIL", start: 5, end: 26, rule: "email", confidence: 1 }] as const;
    expect(findInProse(text, { found }).map(({ start }) => start)).toEqual([31]);
  });

  it("is found in long texts too, at the right places", () => {
    const filler = "nothing of interest stands here. ".repeat(3_000);
    const text = `${filler}Then Marta Kowalczyk came. ${filler}`;
    expect(found(text)).toEqual(["NAME Marta Kowalczyk"]);
  });

  it("yields findings in order, within the text and apart from each other", () => {
    const word = fc.constantFrom(
      ..."Anna Berg Mr. Street 12 Via and , . \n - ' Inc de Paris 1999 / : @ the at apt corner of APO AE x New York".split(
        " ",
      ),
      " ",
      "\n",
      "İ",
      "😀",
      "\ud800",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word, { maxLength: 60 }).map((words) => words.join(" ")),
        ),
        (text) => {
          let last = 0;
          for (const { start, end, confidence } of findInProse(text)) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            expect(confidence).toBeGreaterThanOrEqual(0.5);
            last = end;
          }
          expect(last).toBeLessThanOrEqual(text.length);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
