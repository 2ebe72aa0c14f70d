import { describe, expect, it } from "vitest";
import { findEmbeddedNames } from "./embedded-names.ts";
import { learnMailName, learnName, noNames } from "./known-names.ts";

function found(names: readonly string[], text: string, key?: string): string[] {
  const known = noNames();
  for (const name of names) name.includes("@") ? learnMailName(known, name) : learnName(known, name);
  return findEmbeddedNames(text, known, key).map(
    ({ class: kind, start, end }) => `${kind} ${text.slice(start, end)}`,
  );
}

describe("findEmbeddedNames", () => {
  it.each([
    ["omar_haddad_4471", "USER_ID omar_haddad_4471"],
    ["haddad.omar", "USER_ID haddad.omar"],
    ["OMAR-HADDAD", "USER_ID OMAR-HADDAD"],
    ["OmarHaddad", "USER_ID OmarHaddad"],
    ["omarhaddad77", "USER_ID omarhaddad77"],
    ["omarHaddad_2", "USER_ID omarHaddad_2"],
    ["see /home/omar.haddad/notes", "USER_ID omar.haddad"],
    ["invoice-omar-haddad-2024.pdf", "USER_ID omar-haddad-2024"],
    ["omar.haddad@corelabs, he said", "EMAIL omar.haddad@corelabs"],
    ["omar.haddad7@corelabs.example.", "EMAIL omar.haddad7@corelabs.example"],
  ])("finds a known name in %s", (text, expected) => {
    expect(found(["Omar Haddad"], text)).toEqual([expected]);
  });

  it.each(["omar_nair_4471", "order_haddad", "omar", "Omar Haddad", "omarhaddadi", "somar_haddad", "4471"])(
    "leaves %s",
    (text) => {
      expect(found(["Omar Haddad"], text)).toEqual([]);
    },
  );

  it("takes shortened names only under a key that means somebody", () => {
    expect(found(["Omar Haddad"], "ohaddad", "username")).toEqual(["USER_ID ohaddad"]);
    expect(found(["Omar Haddad"], "OmarH", "assignee")).toEqual(["USER_ID OmarH"]);
    expect(found(["Paul Rice"], "price_2")).toEqual([]);
    expect(found(["An Other"], "another")).toEqual([]);
  });

  it("knows names in other letters, with marks, and with more than two words", () => {
    expect(found(["Jörg Müller"], "jorg_muller_1")).toEqual(["USER_ID jorg_muller_1"]);
    expect(found(["Иван Петров"], "иван.петров")).toEqual(["USER_ID иван.петров"]);
    expect(found(["Ana María López"], "ana_lopez_9")).toEqual(["USER_ID ana_lopez_9"]);
    expect(found(["Haddad, Omar"], "omar_haddad")).toEqual(["USER_ID omar_haddad"]);
  });

  it("learns from what stands before the @ of an address, unless that is a service", () => {
    expect(found(["lena.brandt@atlas.example"], "lena_brandt_3")).toEqual(["USER_ID lena_brandt_3"]);
    expect(found(["customer.support@atlas.example"], "customer_support_3")).toEqual([]);
  });
});
