import { describe, expect, it } from "vitest";
import { KEPT_CLASSES } from "../../../../pii-classes.ts";
import { noNames } from "../names/known-names.ts";
import { findMailAddresses } from "../values/mail-addresses.ts";
import { findInJson } from "./find-in-json.ts";
import type { FindInJsonOptions, FindText } from "./json-finding.ts";

const KEPT: ReadonlySet<string> = new Set(KEPT_CLASSES);
const findMails: FindText = (text) =>
  findMailAddresses(text)
    .filter(({ start, end }) => /\.[a-z]+$/.test(text.slice(start, end)))
    .map((span) => ({ class: "EMAIL", ...span, rule: "mail", confidence: 0.9 }));

function stepsOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(value: unknown, path: string): unknown {
  let at: unknown = value;
  for (const step of stepsOf(path)) at = Object.getOwnPropertyDescriptor(at, step)?.value;
  return at;
}

/** `CLASS path text`, of what would be concealed. */
function found(value: unknown, options: Partial<FindInJsonOptions> = {}): string[] {
  return findInJson(value, { findText: findMails, ...options })
    .filter((finding) => !KEPT.has(finding.class))
    .map(({ class: name, path, in: where, start, end }) => {
      const text = where === "key" ? (stepsOf(path).at(-1) ?? "") : String(valueAt(value, path));
      return `${name} ${path} ${text.slice(start, end)}`;
    })
    .sort();
}

describe("findInJson", () => {
  it("finds a customer, and leaves what they bought", () => {
    const order = {
      order_id: "#W2390127",
      user_id: "omar_haddad_4471",
      address: { address1: "12 Birch Lane", address2: "Apt 4", city: "Leeds", country: "UK", zip: "90210" },
      items: [{ name: "Desk Lamp", product_id: "8812345678", price: 12.5, options: { color: "white" } }],
      payment_history: [{ amount: 12.5, payment_method_id: "gift_card_1234567" }],
    };
    expect(found(order)).toEqual([
      "ADDRESS /address/address1 12 Birch Lane",
      "POSTAL_CODE /address/zip 90210",
      "USER_ID /user_id omar_haddad_4471",
    ]);
  });

  it("finds e-mail addresses without a top level where the key says so", () => {
    expect(found({ customer_email: "ines.duarte@corelabs", note: "ping ines.duarte@corelabs" })).toContain(
      "EMAIL /customer_email ines.duarte@corelabs",
    );
  });

  it.each([
    [{ customer_name: "Harold Ives 3rd" }, "NAME /customer_name Harold Ives 3rd"],
    [{ user_id: "raj_ng_1042" }, "USER_ID /user_id raj_ng_1042"],
    [{ user_id: "bill_green_1042" }, "USER_ID /user_id bill_green_1042"],
    [{ created_by: "Ng, Raj" }, "NAME /created_by Ng, Raj"],
    [{ emergency_contact: "Luis Vega - 0161 496 0123" }, "NAME /emergency_contact Luis Vega"],
    [{ maintainers: [{ name: "stevem", email: "s@x.example" }] }, "USER_ID /maintainers/0/name stevem"],
    [{ date_of_birth: "25 December 1974" }, "DATE_OF_BIRTH /date_of_birth 25 December 1974"],
    [{ client: { phone: "+1 (555) 010-9999 ext. 12" } }, "PHONE /client/phone +1 (555) 010-9999 ext. 12"],
    [{ billing_address: "1-2-3 桜町" }, "ADDRESS /billing_address 1-2-3 桜町"],
    [
      { headers: { Authorization: "Bearer 9f8e7d6c5b4a" } },
      "API_KEY /headers/Authorization Bearer 9f8e7d6c5b4a",
    ],
  ])("finds what is in %j", (value, expected) => {
    expect(found(value)).toContain(expected);
  });

  it.each([
    { customer_name: "Yes" },
    { customer_name: "N/A" },
    { customer_name: "" },
    { customer_name: "true" },
    { customer_name: 42 },
    { customer_name: "-" },
    { phone: "unknown" },
    { address: "10.0.0.7" },
    { address: "0x7ffe12345678" },
    { address: "https://example.com/a b" },
    { zip: "archive.zip" },
    { credit_card: "credit_card_9513926" },
    { dob: "soon" },
    { password: "********" },
    { ssn: "***-**-1234" },
    { company: "none" },
    { created_by: "2024-01-05" },
    { user_id: "00000189" },
    { user_id: "guest_user_123" },
    { full_name: "acme/widgets" },
    { name: "Ada Park", version: "1.2.0" },
    { tools: [{ name: "Create Issue", description: "Creates one", inputSchema: {} }] },
    { properties: { email: { type: "string", description: "Where to write" } } },
    { token_count: 1234567890, state: "open", from: "New York", to: "San Jose" },
  ])("leaves %j", (value) => {
    expect(found(value)).toEqual([]);
  });

  it("joins first and last names, and finds ids with both anywhere", () => {
    const value = {
      log: "opened by priya.nair, path /home/priya_nair/x",
      name: { first_name: "Priya", last_name: "Nair" },
      account: "PriyaNair77",
      other: "prune_name_77",
    };
    expect(found(value)).toEqual([
      "NAME /name/first_name Priya",
      "NAME /name/last_name Nair",
      "USER_ID /account PriyaNair77",
      "USER_ID /log priya.nair",
      "USER_ID /log priya_nair",
    ]);
  });

  it("learns names from e-mail addresses, and keeps them for the session", () => {
    const names = noNames();
    expect(found({ to: "lars.olsen@fjord.example" }, { names })).toHaveLength(1);
    expect(found({ file: "report-lars-olsen-2024.pdf" }, { names })).toEqual([
      "USER_ID /file lars-olsen-2024",
    ]);
  });

  it("finds keys that are data", () => {
    const value = { users: { mia_berg_3668: { plan: "free" } }, mails: { "ana@example.org": 3 } };
    expect(found(value)).toEqual([
      "EMAIL /mails/ana@example.org ana@example.org",
      "USER_ID /users/mia_berg_3668 mia_berg_3668",
    ]);
  });

  it("reads tables: a header row, columns and rows, columns of objects", () => {
    const rows = [
      ["Full name", "Mobile", "Total"],
      ["Ada Park", "0161 496 0123", 12],
    ];
    expect(found(rows)).toEqual(["NAME /1/0 Ada Park", "PHONE /1/1 0161 496 0123"]);
    expect(found({ columns: ["id", "email"], rows: [[1, "ada@lab"]] })).toEqual(["EMAIL /rows/0/1 ada@lab"]);
    expect(found({ columns: [{ name: "dob" }, { name: "price" }], data: [["1990-04-01", "3"]] })).toEqual([
      "DATE_OF_BIRTH /data/0/0 1990-04-01",
    ]);
    expect(found({ name: ["Ada Park", "Bo Lind"], email: ["a@lab", "b@lab"] })).toHaveLength(4);
  });

  it("reads pairs of a key and its value", () => {
    expect(found([{ key: "email", value: "ada@lab" }])).toEqual(["EMAIL /0/value ada@lab"]);
    expect(found({ fields: [{ label: "Phone number", value: "0161 496 0123" }] })).toEqual([
      "PHONE /fields/0/value 0161 496 0123",
    ]);
    expect(found({ telecom: [{ system: "phone", value: "0161 496 0123", use: "home" }] })).toHaveLength(1);
    expect(found([{ key: "color", value: "Olive Green" }])).toEqual([]);
  });

  it("carries a key down to lists and parts", () => {
    expect(found({ phones: ["0161 496 0123", { number: "0161 496 0124" }] })).toHaveLength(2);
    expect(found({ email: { work: "a@lab", verified: true } })).toEqual(["EMAIL /email/work a@lab"]);
    expect(found({ attendees: ["Ada Park", "bo@lab", "Room 4"] })).toEqual([
      "EMAIL /attendees/1 bo@lab",
      "NAME /attendees/0 Ada Park",
    ]);
    expect(
      found({ owner: { name: "Ada Park" }, address: { street: "Main St 4", name: "Ada Park" } }),
    ).toHaveLength(3);
  });

  it("takes numbers as a whole", () => {
    expect(found({ phone: 441614960123, zip: 90210, ssn: 123456789, age: 40, total: 441614960123 })).toEqual([
      "PHONE /phone 441614960123",
      "POSTAL_CODE /zip 90210",
      "SSN /ssn 123456789",
    ]);
  });

  it("splits names from addresses, and lists", () => {
    expect(found({ sender: "Ada Park <ada@lab>", email: "a@x, b@y" })).toEqual([
      "EMAIL /email a@x",
      "EMAIL /email b@y",
      "EMAIL /sender ada@lab",
      "NAME /sender Ada Park",
    ]);
  });

  it("reads JSON in a text, at the places of that text", () => {
    const inner =
      '{"customer_name": "Zo\\u00eb \\"Zo\\" Hart", "items": [{"name": "Lamp", "price": 3}], "phone": 441614960123}';
    const findings = findInJson({ body: inner }, { findText: findMails });
    expect(findings).toMatchObject([
      { class: "NAME", path: "/body", value: 'Zoë "Zo" Hart' },
      { class: "PHONE", path: "/body", quote: '"' },
    ]);
    expect(findings.map(({ start, end }) => inner.slice(start, end))).toEqual([
      'Zo\\u00eb \\"Zo\\" Hart',
      "441614960123",
    ]);
  });

  it("reads JSON in JSON in a text", () => {
    const inner = JSON.stringify({ first_name: "Ada", x: JSON.stringify({ email: "ada@lab" }) });
    const outer = JSON.stringify(inner);
    const texts = findInJson({ outer }, { findText: findMails }).map(({ start, end }) =>
      outer.slice(start, end),
    );
    expect(texts).toEqual(["Ada", "ada@lab"]);
  });

  it("takes hints from a schema", () => {
    const schema = {
      type: "object",
      properties: {
        contact: { type: "string", format: "email" },
        who: { type: "string", description: "The customer's full name" },
        list: { type: "array", items: { type: "object", properties: { x: { title: "Date of birth" } } } },
      },
    };
    const value = { contact: "ada@lab", who: "Ada Park", list: [{ x: "1990-04-01" }] };
    expect(found(value, { schema })).toEqual([
      "DATE_OF_BIRTH /list/0/x 1990-04-01",
      "EMAIL /contact ada@lab",
      "NAME /who Ada Park",
    ]);
  });

  it("tells the others where a text stands", () => {
    const seen: unknown[] = [];
    const findText: FindText = (_text, surroundings) => {
      seen.push(surroundings);
      return [];
    };
    findInJson({ a: { notes: "some words", list: ["more words"] } }, { findText, region: "DE" });
    expect(seen).toEqual([
      { key: "notes", above: ["a"], region: "DE" },
      { key: "list", above: ["a"], region: "DE" },
    ]);
  });

  it("goes down as deep as JSON may be nested, and no deeper", () => {
    let deep: unknown = { email: "ada@lab" };
    for (let depth = 0; depth < 9_990; depth++) deep = depth % 2 === 0 ? [deep] : { a: deep, b: "words" };
    expect(findInJson(deep, { findText: findMails })).toHaveLength(1);
    let list: unknown = ["to ada@lab.example"];
    for (let depth = 0; depth < 9_990; depth++) list = [list];
    expect(findInJson(list, { findText: findMails })).toHaveLength(1);
    for (let depth = 0; depth < 10_000; depth++) deep = [deep];
    expect(() => findInJson(deep, { findText: findMails })).toThrow("nested deeper");
  });

  it("tells a text that is all there is from one under an empty key", () => {
    const mail = "ada@lab.example";
    const pathOf = (value: unknown) => findInJson(value, { findText: findMails }).map(({ path }) => path);
    expect([pathOf(mail), pathOf({ "": mail }), pathOf([mail])]).toEqual([[""], ["/"], ["/0"]]);
  });

  it("leaves a prototype alone", () => {
    const value: unknown = JSON.parse('{"__proto__": {"email": "ada@lab"}, "constructor": "x"}');
    expect(findInJson(value, { findText: findMails }).map(({ path }) => path)).toEqual(["/__proto__/email"]);
    expect(findInJson(`see {"__proto__": {"email": "ada@lab"}}`, { findText: findMails })).toHaveLength(1);
  });

  it.each([
    ["by its type", { __typename: "User", name: "Ada Park" }, ["NAME /name Ada Park"]],
    ["by what it refers to", { reference: "Patient/12", display: "Ada Park" }, ["NAME /display Ada Park"]],
    [
      "by the type beside its fields",
      { attributes: { type: "Contact" }, Name: "Ada Park" },
      ["NAME /Name Ada Park"],
    ],
    ["as a thing", { type: "folder", name: "Ada Park" }, []],
    ["as a field of a form", { type: "user", name: "Assignee" }, []],
  ])("reads what an object says that it is: %s", (_, value, expected) => {
    expect(found(value)).toEqual(expected);
  });

  it.each([
    [
      "what a type wraps",
      {
        Email: { type: "email", email: "ada@lab" },
        Name: { id: "title", type: "title", title: [{ plain_text: "Ada Park" }] },
      },
      ["EMAIL /Email/email ada@lab", "NAME /Name/title/0/plain_text Ada Park"],
    ],
    [
      "a document by its type",
      { documentType: "PASSPORT", number: "X7327696" },
      ["PASSPORT /number X7327696"],
    ],
    ["a house by its type", { type: "house", number: "12345678" }, []],
    ["an answer to a field", { field: { ref: "full_name" }, text: "Ada Park" }, ["NAME /text Ada Park"]],
    [
      "a record in place of its id",
      { org_id: { name: "Lindqvist Bygg", count: 3 } },
      ["COMPANY /org_id/name Lindqvist Bygg"],
    ],
    ["whom one sells to", { Account: { Name: "Lindqvist Bygg" } }, ["COMPANY /Account/Name Lindqvist Bygg"]],
    ["an account of a bank", { account: { name: "Savings" } }, []],
    ["an account of a cloud", { account_name: "Production", service_account_name: "Deployer" }, []],
    [
      "a birth in parts",
      { birthdays: [{ date: { year: 1974 } }] },
      ["DATE_OF_BIRTH /birthdays/0/date/year 1974"],
    ],
    [
      "halves of a name",
      { c_first: "Ada", c_last: "Park", c_email: "ada@lab" },
      ["EMAIL /c_email ada@lab", "NAME /c_first Ada", "NAME /c_last Park"],
    ],
    [
      "a directory",
      { cn: "Ada Park", sn: "Park", mail: "a@lab", uid: "apark" },
      ["EMAIL /mail a@lab", "NAME /cn Ada Park", "NAME /sn Park", "USER_ID /uid apark"],
    ],
    ["a certificate", { cn: "Lab Root", sn: "Alpha", serial: "4A" }, []],
    ["somebody who is rated", { rider: { name: "Ada Park", rating: 4.9 } }, ["NAME /rider/name Ada Park"]],
    [
      "a company that is a contact",
      { contact: { name: "Ostrov Ocel a.s." } },
      ["COMPANY /contact/name Ostrov Ocel a.s."],
    ],
    ["who attends", { attending_physician: "Ada Park" }, ["NAME /attending_physician Ada Park"]],
    ["a driver of a machine", { graphics_driver: "Nouveau Gallium" }, []],
    ["where money goes", { recipient_account: "7411462029" }, ["BANK_ACCOUNT /recipient_account 7411462029"]],
    ["a pet", { pet: { name: "Biscuit", species: "dog", breed: "Beagle", weight_kg: 11 } }, []],
    [
      "a known name elsewhere",
      { full_name: "Ada Park", print_on_check: "Ada Park", title: "Park Ranger" },
      ["NAME /full_name Ada Park", "NAME /print_on_check Ada Park"],
    ],
  ])("finds %s", (_, value, expected) => {
    expect(found(value)).toEqual(expected);
  });
});
