import { describe, expect, it } from "vitest";
import { KEPT_CLASSES } from "../../../../pii-classes.ts";
import { noNames } from "../names/known-names.ts";
import { findInStructuredText } from "./find-in-structured-text.ts";

const KEPT: ReadonlySet<string> = new Set(KEPT_CLASSES);

/** `CLASS text`, of what would be concealed, as it stands in the text. */
function found(text: string): string[] {
  return findInStructuredText(text)
    .filter((finding) => !KEPT.has(finding.class))
    .map(({ class: name, start, end }) => `${name} ${text.slice(start, end)}`);
}

describe("findInStructuredText", () => {
  it("reads CSV with quotes", () => {
    const text =
      'id,"Customer name",email,notes\n1,"Park, Ada",ada@lab,"said ""hi"", left"\n2,Bo Lind,bo@lab,\n';
    expect(found(text)).toEqual(["NAME Park, Ada", "EMAIL ada@lab", "NAME Bo Lind", "EMAIL bo@lab"]);
  });

  it.each([
    ["tabs", "first_name\tlast_name\tqty\nAda\tPark\t3\n", ["NAME Ada", "NAME Park"]],
    ["semicolons", "Vorname;Nachname;PLZ\nAda;Park;10115\n", ["NAME Ada", "NAME Park", "POSTAL_CODE 10115"]],
    [
      "a title above",
      "Export of today\n\nname,phone\nAda Park,0161 496 0123\n",
      ["NAME Ada Park", "PHONE 0161 496 0123"],
    ],
    [
      "Markdown",
      "| Name | E-mail | Role |\n|---|:---:|---|\n| Ada Park | ada@lab | Lead |\n",
      ["NAME Ada Park", "EMAIL ada@lab"],
    ],
    [
      "a query's answer",
      " name     | phone\n----------+--------------\n Ada Park | 0161 496 0123\n(1 row)\n",
      ["NAME Ada Park", "PHONE 0161 496 0123"],
    ],
    ["products", "name,price,sku\nDesk Lamp,12.50,A-1\nOffice Chair,99,B-2\n", []],
    ["prose", "We met name, email and all.\nThen, after that, we left.\n", []],
  ])("reads tables: %s", (_what, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ["lines", "Name: Ada Park\nEmail: ada@lab\nPrice: 3\n", ["NAME Ada Park", "EMAIL ada@lab"]],
    [
      "one line",
      "Name: Ada Park, Phone: 0161 496 0123; DOB: 1990-04-01",
      ["NAME Ada Park", "PHONE 0161 496 0123", "DATE_OF_BIRTH 1990-04-01"],
    ],
    ["bold Markdown", "- **Customer name:** Ada Park\n- **Total:** 3\n", ["NAME Ada Park"]],
    ["assignments", "user_name=ada_p\npassword=hunter2\nport=8080\n", ["USER_ID ada_p", "PASSWORD hunter2"]],
    [
      "YAML",
      "customer:\n  name: Ada Park\n  address:\n    street: 4 Main St\n    zip: '90210'\nitems:\n  - name: Desk Lamp\n    price: 3\n",
      ["NAME Ada Park", "ADDRESS 4 Main St", "POSTAL_CODE 90210"],
    ],
    [
      "mail headers",
      "From: Ada Park <ada@lab>\nTo: bo@lab, Cy Dean <cy@lab>\nSubject: Lamp\n",
      ["NAME Ada Park", "EMAIL ada@lab", "EMAIL bo@lab", "NAME Cy Dean", "EMAIL cy@lab"],
    ],
    ["a route", "From: New York\nTo: San Jose\nDistance: 4000\n", []],
    ["Chinese", "姓名：王小明\n电话：13800138000\n", ["NAME 王小明", "PHONE 13800138000"]],
    [
      "German",
      "Kundenname: Jörg Maß\nTelefon: 030 901820\nBestellung: Tisch\n",
      ["NAME Jörg Maß", "PHONE 030 901820"],
    ],
    ["a log", "2024-01-05T10:00:00Z level=info msg=started version: 1.2.3 name: worker\n", []],
    ["code", "const name: string = value;\nlet email: string;\n", []],
    ["a time", "Meeting at 10:30, room: Blue Whale\n", []],
  ])("reads labels: %s", (_what, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it("reads vCards, with folded lines", () => {
    const text =
      "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Park;Ada;;Dr.;\r\nFN:Ada Park\r\nORG:Lumen Works\r\nitem1.TEL;TYPE=CELL:+44 161 496\r\n  0123\r\nEMAIL;TYPE=work:ada@lab\r\nADR;TYPE=HOME:;;4 Main St;Leeds;;LS1 4AB;UK\r\nBDAY:1990-04-01\r\nEND:VCARD\r\n";
    expect(found(text)).toEqual([
      "NAME Park",
      "NAME Ada",
      "NAME Ada Park",
      "COMPANY Lumen Works",
      "PHONE +44 161 496\r\n  0123",
      "EMAIL ada@lab",
      "ADDRESS 4 Main St",
      "POSTAL_CODE LS1 4AB",
      "DATE_OF_BIRTH 1990-04-01",
    ]);
    expect(findInStructuredText(text)).toContainEqual(expect.objectContaining({ value: "+44 161 496 0123" }));
  });

  it("reads who takes part in an iCalendar", () => {
    const text =
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Plan: budget\nORGANIZER;CN="Park, Ada":mailto:ada@lab\nATTENDEE;CN=Bo Lind;ROLE=REQ-PARTICIPANT:mailto:bo@lab\nEND:VEVENT\nEND:VCALENDAR\n';
    expect(found(text)).toEqual(["NAME Park, Ada", "EMAIL ada@lab", "NAME Bo Lind", "EMAIL bo@lab"]);
  });

  it.each([
    [
      "a table",
      "<table><tr><th>Name</th><th>E-mail</th></tr><tr><td><b>Ada Park</b></td><td><a href='mailto:ada@lab'>ada@lab</a></td></tr></table>",
      ["NAME Ada Park", "EMAIL ada@lab", "EMAIL ada@lab"],
    ],
    [
      "heads of rows",
      "<table><tr><th>Phone</th><td>0161 496 0123</td></tr><tr><th>Price</th><td>3</td></tr></table>",
      ["PHONE 0161 496 0123"],
    ],
    [
      "a definition list",
      "<dl><dt>Customer name</dt><dd>Ada Park</dd><dt>Item</dt><dd>Desk Lamp</dd></dl>",
      ["NAME Ada Park"],
    ],
    [
      "labels and inputs",
      '<label>Phone</label> <span>0161 496 0123</span><input name="email" value="ada@lab"><input name="qty" value="3">',
      ["PHONE 0161 496 0123", "EMAIL ada@lab"],
    ],
    ["links", '<a href="tel:+441614960123">call</a>', ["PHONE +441614960123"]],
    [
      "XML",
      '<order id="7"><customer><name>Ada Park</name><email>ada@lab</email></customer><item><name>Desk Lamp</name><price>3</price></item></order>',
      ["NAME Ada Park", "EMAIL ada@lab"],
    ],
    [
      "attributes",
      '<person first_name="Ada" last_name="Park"/><file name="Read Me"/>',
      ["NAME Ada", "NAME Park"],
    ],
    ["a page", "<html><body><h1>Name of the Rose</h1><p>Address the issue: soon</p></body></html>", []],
  ])("reads markup: %s", (_what, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it("undoes entities", () => {
    const text = "<p><b>E-mail:</b> ada&#64;lab</p><dl><dt>Vorname</dt><dd>J&ouml;rg</dd></dl>";
    expect(findInStructuredText(text).map(({ class: name, value }) => [name, value])).toEqual([
      ["EMAIL", "ada@lab"],
      ["NAME", "Jörg"],
    ]);
  });

  it("reads queries of URLs and bodies of forms", () => {
    const url = "GET https://shop.example/buy?item=3&email=ada%40lab&first_name=Zo%C3%AB+Ann#top";
    expect(findInStructuredText(url).map(({ class: name, value }) => [name, value])).toEqual([
      ["EMAIL", "ada@lab"],
      ["NAME", "Zoë Ann"],
    ]);
    expect(found("first_name=Ada&last_name=Park&qty=3")).toEqual(["NAME Ada", "NAME Park"]);
  });

  it("reads JSON line by line, in the midst of words, and cut off", () => {
    expect(found('{"email":"ada@lab"}\n{"email":"bo@lab"}\n')).toEqual(["EMAIL ada@lab", "EMAIL bo@lab"]);
    expect(found('Got [{"customer_name": "Ada Park", "qty": 3}] from it.')).toEqual(["NAME Ada Park"]);
    expect(found("{'customer_name': 'Ada Park', 'ok': True, 'phone': None}")).toEqual(["NAME Ada Park"]);
    expect(found('{"email":"ada@lab","email":"bo@lab"}')).toEqual(["EMAIL ada@lab", "EMAIL bo@lab"]);
    expect(found('{"rows":[{"customer_name":"Ada Park","email":"ada@l')).toEqual([
      "NAME Ada Park",
      "EMAIL ada@l",
    ]);
  });

  it("learns the names that it finds", () => {
    const names = noNames();
    findInStructuredText("first_name,last_name\nAda,Park\n", { names });
    expect(names.whole.has("adapark")).toBe(true);
  });

  it("hands on what only decoding shows", () => {
    const findText = (text: string) =>
      text.includes("@")
        ? [{ class: "EMAIL" as const, start: 0, end: text.length, rule: "x", confidence: 0.9 }]
        : [];
    const text = "/go?q=ada%40lab.example&n=3";
    const [finding] = findInStructuredText(text, { findText });
    expect(finding).toMatchObject({ class: "EMAIL", value: "ada@lab.example" });
    expect(text.slice(finding?.start, finding?.end)).toBe("ada%40lab.example");
  });

  it.each([
    [
      "a column that counts",
      "| # | Name | E-mail |\n|---|---|---|\n| 1 | Ada Park | a@lab |\n",
      ["NAME Ada Park", "EMAIL a@lab"],
    ],
    [
      "items that are one record",
      "- **Name:** Ada Park\n- **Phone:** 0161 496 0123\n",
      ["NAME Ada Park", "PHONE 0161 496 0123"],
    ],
    ["a directory's person", "uid=apark,ou=People,dc=lab,dc=example", ["USER_ID apark"]],
    ["a directory's person by name", "CN=Ada Park,OU=Users,DC=lab", ["NAME Ada Park"]],
    ["a directory's group", "CN=Domain Admins,OU=Groups,DC=lab", []],
    ["types of a program's", "async def sync(limit: int = 250, *, company: str | None = None) -> dict", []],
    [
      "types, one a line",
      "company: str\naddress: string | undefined\nuser_id: Optional[int]\nemployer: Any\n",
      [],
    ],
    ["a company that begins like a type", "company: Any Lab Ltd\n", ["COMPANY Any Lab Ltd"]],
  ])("reads %s", (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});
