import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Surroundings } from "../finding.ts";
import { findValues } from "./values.ts";

/** Each finding as `CLASS value`. */
function found(text: string, surroundings: Surroundings = {}): string[] {
  return findValues(text, surroundings).map(
    ({ class: kind, start, end }) => `${kind} ${text.slice(start, end)}`,
  );
}

type Case = readonly [text: string, ...found: string[]];

function finds(cases: readonly Case[]): void {
  it.each(cases)("in %j", (text, ...expected) => {
    expect(found(text)).toEqual(expected);
  });
}

type KeyedCase = readonly [key: string, text: string, ...found: string[]];

function findsUnderKeys(cases: readonly KeyedCase[]): void {
  it.each(cases)("under %j: %j", (key, text, ...expected) => {
    expect(found(text, { key })).toEqual(expected);
  });
}

describe("e-mail addresses", () => {
  finds([
    ["Write to nora.lindqvist@example.org.", "EMAIL nora.lindqvist@example.org"],
    [
      "<nora+news@mail.example.co.uk>, Tom <tom@example.com>",
      "EMAIL nora+news@mail.example.co.uk",
      "EMAIL tom@example.com",
    ],
    ["mailto:nora@example.org?subject=hello", "EMAIL nora@example.org"],
    ["?email=nora@example.org&page=2", "EMAIL nora@example.org"],
    ["name|nora@example.org|open", "EMAIL nora@example.org"],
    ['"nora lindqvist"@example.org', 'EMAIL "nora lindqvist"@example.org'],
    ["jürgen@bücher.example", "EMAIL jürgen@bücher.example"],
    ["用户@例子.公司", "EMAIL 用户@例子.公司"],
    ["user@xn--bcher-kva.example", "EMAIL user@xn--bcher-kva.example"],
    ["o'brien@example.ie", "EMAIL o'brien@example.ie"],
    ["root@[192.0.2.7]", "EMAIL root@[192.0.2.7]"],
    ['{"to":"nora@example.org"}', "EMAIL nora@example.org"],
    ["icon@2x.png and logo@3x.jpg"],
    ["npm install left-pad@1.3.0 @scope/tool@latest"],
    ["git clone git@github.com:someone/project.git"],
    ["@media (width > 4px) and @Component"],
    ["nora@example"],
    ["a@b"],
    ["nora@example.c"],
    ["nora@@example.org"],
    ["user@-example.org"],
  ]);
  findsUnderKeys([
    ["e-mail", "root@localhost", "EMAIL root@localhost"],
    ["contactEmail", "nora@intranet", "EMAIL nora@intranet"],
    ["comment", "nora@intranet"],
  ]);
});

describe("phone numbers", () => {
  finds([
    ["+49 30 901820", "PHONE +49 30 901820"],
    ["+442079460958 is ours", "PHONE +442079460958"],
    ["reach us: +1 (628) 555-0143 x12", "PHONE +1 (628) 555-0143 x12"],
    [
      "(628) 555-0143 or 628-555-0144 or 628.555.0145",
      "PHONE (628) 555-0143",
      "PHONE 628-555-0144",
      "PHONE 628.555.0145",
    ],
    ["628-555-0143 628-555-0144", "PHONE 628-555-0143", "PHONE 628-555-0144"],
    ["Call 5550143 tonight", "PHONE 5550143"],
    ["My number is 13800138000", "PHONE 13800138000"],
    ["My order number is 13800138000"],
    ["02139-4307, 012 345 678, 0123-4567"],
    ["Tel.: 030/901820-12", "PHONE 030/901820-12"],
    ["mobile 0171 2345678", "PHONE 0171 2345678"],
    ["Téléphone : 06 12 34 56 78", "PHONE 06 12 34 56 78"],
    ["电话：010-82541234", "PHONE 010-82541234"],
    ["01632 960 001 is the office", "PHONE 01632 960 001"],
    ["0044 20 7946 0958", "PHONE 0044 20 7946 0958"],
    ["628 555 0143 (mobile)", "PHONE 628 555 0143"],
    ["Apple iPhone 1753156414"],
    ["1753156414"],
    ["6285550143"],
    ["+10000000 points"],
    ["2010-2020, 1999-2004"],
    ["12 345 678 people, 1 234 567 890 bytes"],
    ["order number 628-555-0143"],
    ["call me on 2026-03-14 or 14.03.2026"],
    ["Tel: 62889", "PHONE 62889"],
    ["calls 62889 of them"],
    ["call 24/7"],
    ["100 200 3000"],
    ["rgb(120, 130, 140) 0.5.0"],
  ]);
  findsUnderKeys([
    ["phone", "6285550143", "PHONE 6285550143"],
    ["mobileNumber", "0171-2345678", "PHONE 0171-2345678"],
    ["customer_phone", "628-555-0143 ext 5", "PHONE 628-555-0143 ext 5"],
    ["telefono", "91 123 45 67", "PHONE 91 123 45 67"],
    ["phone_id", "6285550143"],
    ["phone_verified_at", "2026-03-14T08:00:00Z"],
    ["phone", "62889", "PHONE 62889"],
    ["phone_number", "31234", "PHONE 31234"],
    ["mobile", "15324"],
    ["Phone Case", "6942297802"],
    ["item_id", "6285550143"],
  ]);

  it("are those of the region that is said", () => {
    expect(found("020 3936 0001", { region: "GB" })).toEqual(["PHONE 020 3936 0001"]);
    expect(found("98 12 34 56", { region: "NO" })).toEqual(["PHONE 98 12 34 56"]);
    expect(found("98 12 34 56")).toEqual([]);
  });

  it("take their key from above where their own says nothing", () => {
    expect(found("6285550143", { key: "number", above: ["contact", "phone"] })).toEqual(["PHONE 6285550143"]);
    expect(found("The phone of the shop", { key: "description", above: ["phone"] })).toEqual([]);
  });
});

describe("credit cards", () => {
  finds([
    ["4532019283746500", "CREDIT_CARD 4532019283746500"],
    ["4532 0192 8374 6500", "CREDIT_CARD 4532 0192 8374 6500"],
    ["5550-9384-7261-5032.", "CREDIT_CARD 5550-9384-7261-5032"],
    ["2223009817263542, 6011092837465013", "CREDIT_CARD 2223009817263542", "CREDIT_CARD 6011092837465013"],
    ["378291047362511", "CREDIT_CARD 378291047362511"],
    ["3782 910473 62511", "CREDIT_CARD 3782 910473 62511"],
    ["30569304738295 3533019283746501", "CREDIT_CARD 30569304738295", "CREDIT_CARD 3533019283746501"],
    ["6200918273645018", "CREDIT_CARD 6200918273645018"],
    ["the amount that was billed to cc 4532019283746500", "CREDIT_CARD 4532019283746500"],
    ["4532 0192 8374 6500 12/29 123", "CREDIT_CARD 4532 0192 8374 6500"],
    ["9400 1000 0000 4532 0192 8374 6500"],
    ["4532019283746501"],
    ["4532 0192 8374 6501"],
    ["order 4532019283746500"],
    ["4532-0192 8374-6500"],
    ["x4532019283746500 4532019283746500x"],
    ["0000000000000000"],
    ["1753156414123"],
    ["45320192837465004532019283746500"],
  ]);
  findsUnderKeys([
    ["card_number", "4532019283746500", "CREDIT_CARD 4532019283746500"],
    ["order_id", "4532019283746500"],
    ["tracking", "6200918273645018"],
  ]);
});

describe("social security numbers", () => {
  finds([
    ["519-84-2031", "SSN 519-84-2031"],
    ["SSN: 519842031", "SSN 519842031"],
    ["her social security number is 519 84 2031", "SSN 519 84 2031"],
    ["519 84 2031", "SSN 519 84 2031"],
    ["912-73-4821", "NATIONAL_ID 912-73-4821"],
    ["000-84-2031, 666-84-2031, 519-00-2031, 519-84-0000"],
    ["078-05-1120"],
    ["519842031"],
    ["519-84.2031"],
    ["1519-84-2031"],
    ["519-84-2031-7"],
    ["SKU-519-84-2031"],
    ["Suite 519 84 2031 Lane"],
  ]);
  findsUnderKeys([
    ["ssn", "519842031", "SSN 519842031"],
    ["socialSecurityNumber", "519-842031", "SSN 519-842031"],
    ["amount", "519842031"],
  ]);

  it("may be bare digits where somebody asks about nothing else", () => {
    expect(findValues("519842241")).toMatchObject([{ class: "SSN", confidence: 0.5 }]);
    expect(findValues("519842241", {})).toEqual([]);
  });
});

describe("national ids", () => {
  finds([
    ["NINO QQ 12 34 56 C is an example, JG 10 37 59 A is not", "NATIONAL_ID JG 10 37 59 A"],
    ["JG103759A", "NATIONAL_ID JG103759A"],
    ["SIN 459 281 739", "NATIONAL_ID 459 281 739"],
    ["Aadhaar 4726 1938 5043", "NATIONAL_ID 4726 1938 5043"],
    ["4726 1938 5043", "NATIONAL_ID 4726 1938 5043"],
    ["PAN: BNZPM2501F", "NATIONAL_ID BNZPM2501F"],
    ["CPF 318.472.956-73", "NATIONAL_ID 318.472.956-73"],
    ["cpf 31847295673", "NATIONAL_ID 31847295673"],
    ["DNI 48291736Q, 48291736-Q", "NATIONAL_ID 48291736Q", "NATIONAL_ID 48291736-Q"],
    ["NIE Y2847163F", "NATIONAL_ID Y2847163F"],
    ["codice fiscale BNCLRA92D54F205A", "NATIONAL_ID BNCLRA92D54F205A"],
    ["BNC LRA 92D54 F205A", "NATIONAL_ID BNC LRA 92D54 F205A"],
    ["Steuer-ID 81726304853", "NATIONAL_ID 81726304853"],
    ["tax file number 482 917 367", "NATIONAL_ID 482 917 367"],
    ["Medicare 3948 27164 1", "NATIONAL_ID 3948 27164 1"],
    ["2 84 09 75 123 456 39", "NATIONAL_ID 2 84 09 75 123 456 39"],
    ["284097512345639", "NATIONAL_ID 284097512345639"],
    ["2 84 06 2A 123 456 48", "NATIONAL_ID 2 84 06 2A 123 456 48"],
    ["PESEL 84071548292", "NATIONAL_ID 84071548292"],
    ["NHS number 482 917 3610", "NATIONAL_ID 482 917 3610"],
    ["310105198407154826", "NATIONAL_ID 310105198407154826"],
    ["756.4829.1736.40", "NATIONAL_ID 756.4829.1736.40"],
    ["NRIC S8429173J", "NATIONAL_ID S8429173J"],
    ["henkilötunnus 150784-482J", "NATIONAL_ID 150784-482J"],
    ["BSN 482917362", "NATIONAL_ID 482917362"],
    ["1EG4-TE5-MK72", "NATIONAL_ID 1EG4-TE5-MK72"],
    ["4726 1938 5043 0000 12"],
    // One digit or letter is another.
    ["SIN 459 281 738"],
    ["Aadhaar 4726 1938 5044"],
    ["CPF 318.472.956-74"],
    ["DNI 48291736R"],
    ["NIE Y2847163G"],
    ["BNCLRA92D54F205B"],
    ["Steuer-ID 81726304854"],
    ["284097512345640"],
    ["PESEL 84071548293"],
    ["310105198407154827"],
    ["S8429173K"],
    ["GB123456A"],
    // Proof enough with a word that says so, not without.
    ["459 281 739"],
    ["31847295673"],
    ["472619385043"],
    ["81726304853"],
    ["order JG103759A"],
    ["11111111111"],
  ]);
});

describe("IBANs", () => {
  finds([
    ["DE44500105175407324931", "IBAN DE44500105175407324931"],
    ["DE44 5001 0517 5407 3249 31, due", "IBAN DE44 5001 0517 5407 3249 31"],
    ["GB26MIDL40051512345674", "IBAN GB26MIDL40051512345674"],
    ["gb26midl40051512345674", "IBAN gb26midl40051512345674"],
    ["FR14 2004 1010 0505 0001 3M02 606", "IBAN FR14 2004 1010 0505 0001 3M02 606"],
    ["NO93-8601-1117-947", "IBAN NO93-8601-1117-947"],
    ["MT84MALT011000012345MTLCAST001S", "IBAN MT84MALT011000012345MTLCAST001S"],
    ["DE45500105175407324931"],
    ["DE4450010517540732493"],
    ["DE445001051754073249311"],
    ["XX44500105175407324931"],
  ]);
});

describe("accounts, passports and driving licences", () => {
  finds([
    ["account number 0532013000", "BANK_ACCOUNT 0532013000"],
    ["Kontonummer: 532013000", "BANK_ACCOUNT 532013000"],
    ["routing number 021000021", "BANK_ACCOUNT 021000021"],
    ["passport no. C4829173", "PASSPORT C4829173"],
    ["Reisepass C01X0006H", "PASSPORT C01X0006H"],
    ["driver's license number D482-9173-6045", "DRIVING_LICENCE D482-9173-6045"],
    ["driving licence MORGA753116SM9IJ", "DRIVING_LICENCE MORGA753116SM9IJ"],
    ["account id 0532013000"],
    ["C4829173"],
    ["passport control opens at 08:30"],
  ]);
  findsUnderKeys([
    ["passportNumber", "C4829173", "PASSPORT C4829173"],
    ["driver_license", "D4829173", "DRIVING_LICENCE D4829173"],
    ["bank_account", "0532 0130 00", "BANK_ACCOUNT 0532 0130 00"],
    ["account_id", "0532013000"],
    ["passport", "required for travel"],
  ]);
});

describe("addresses of machines", () => {
  finds([
    ["from 81.2.69.142 port 22", "IP 81.2.69.142"],
    ["81.2.69.142:8080", "IP 81.2.69.142"],
    ["http://81.2.69.142/x", "IP 81.2.69.142"],
    ["81.2.69.0/24", "IP 81.2.69.0/24"],
    ["2001:db8::8a2e:370:7334", "IP 2001:db8::8a2e:370:7334"],
    ["[2001:db8::1]:443", "IP 2001:db8::1"],
    ["2001:0db8:85a3:0000:0000:8a2e:0370:7334.", "IP 2001:0db8:85a3:0000:0000:8a2e:0370:7334"],
    ["::ffff:81.2.69.142", "IP ::ffff:81.2.69.142"],
    ["fe80::1ff:fe23:4567:890a%eth0", "IP fe80::1ff:fe23:4567:890a%eth0"],
    ["2001:db8::/32", "IP 2001:db8::/32"],
    ["00:1b:44:11:3a:b7", "MAC 00:1b:44:11:3a:b7"],
    ["00-1B-44-11-3A-B7 up", "MAC 00-1B-44-11-3A-B7"],
    ["001b.4411.3ab7", "MAC 001b.4411.3ab7"],
    ["version 10.2.3.4, v1.2.3.4, Chrome/120.0.0.0"],
    ["256.1.2.3, 1.2.3, 1.2.3.4.5, 01.02.03.04"],
    ["12:34:56, 10:30, 2026-03-14T08:15:30"],
    ["std::vector<int>, Foo::Bar, rows[::2], a ? b : c"],
    ["x::text, '5'::int, 1::bigint"],
    ["ff:ff:ff:ff:ff:ff 00:00:00:00:00:00"],
    ["SHA256 aa:bb:cc:dd:ee:ff:00:11"],
    ["12-34-56-78-90-12"],
    ["1.3.6.1.4.1.311"],
  ]);
  findsUnderKeys([
    ["client_ip", "81.2.69.142", "IP 81.2.69.142"],
    ["version", "10.2.3.4"],
  ]);
});

describe("secrets", () => {
  const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url");
  const payload = Buffer.from('{"sub":"17"}').toString("base64url");
  const jwt = `${header}.${payload}.c2lnbmF0dXJl`;
  const pem =
    "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY/PuoAoGCCqGSM49\n-----END EC PRIVATE KEY-----";
  finds([
    ["token ghp_a8Kd03LmQz71XyVb55RtUw92PoEi46Nhg7Tc", "API_KEY ghp_a8Kd03LmQz71XyVb55RtUw92PoEi46Nhg7Tc"],
    ["AKIAQ7XK2M4P8RT5WZ3N", "API_KEY AKIAQ7XK2M4P8RT5WZ3N"],
    ["sk-proj-a8Kd03LmQz71XyVb55RtUw92", "API_KEY sk-proj-a8Kd03LmQz71XyVb55RtUw92"],
    [
      "https://hooks.example.com/?key=AIzaSyA8Kd03LmQz71XyVb55RtUw92PoEi46N0g",
      "API_KEY AIzaSyA8Kd03LmQz71XyVb55RtUw92PoEi46N0g",
    ],
    ["Authorization: Bearer a8Kd03LmQz71XyVb55", "API_KEY a8Kd03LmQz71XyVb55"],
    ["API_KEY=a8Kd03LmQz71XyVb55", "API_KEY a8Kd03LmQz71XyVb55"],
    ['"clientSecret": "a8Kd03LmQz71XyVb55"', "API_KEY a8Kd03LmQz71XyVb55"],
    ["Authorization: Basic bm9yYTpnZWhlaW0=", "PASSWORD bm9yYTpnZWhlaW0="],
    ['{"Authorization": "Basic bm9yYTpnZWhlaW0="}', "PASSWORD bm9yYTpnZWhlaW0="],
    ['{"Authorization": "Bearer a8Kd03LmQz71XyVb55"}', "API_KEY a8Kd03LmQz71XyVb55"],
    [`access_token=${"a8Kd03LmQz71XyVb55".repeat(40)}&x=1`, `API_KEY ${"a8Kd03LmQz71XyVb55".repeat(40)}`],
    ["your PIN is 4831", "PASSWORD 4831"],
    ["the password was 12pm"],
    [
      "https://hooks.slack.com/services/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",
      "API_KEY T02AB34CD/B05EF67GH/a8Kd03LmQz71XyVb55RtUw92",
    ],
    [
      "AWS_SECRET_ACCESS_KEY=a8Kd03LmQz71/XyVb55RtUw92+PoEi46Nhg7TcWq1",
      "API_KEY a8Kd03LmQz71/XyVb55RtUw92+PoEi46Nhg7TcWq1",
    ],
    ["curl -H 'X-Api-Key: a8Kd03LmQz71XyVb55' https://example.org", "API_KEY a8Kd03LmQz71XyVb55"],
    [`session ${jwt}; path=/`, `JWT ${jwt}`],
    [`key:\n${pem}\nrest`, `PRIVATE_KEY ${pem}`],
    ["-----BEGIN PRIVATE KEY-----\nMHcCAQEE", "PRIVATE_KEY -----BEGIN PRIVATE KEY-----\nMHcCAQEE"],
    ["postgres://app:pa55w0rt@db.internal:5432/shop", "PASSWORD pa55w0rt"],
    ["https://nora:geheim@example.org/", "USER_ID nora", "PASSWORD geheim"],
    ["https://a8Kd03LmQz71XyVb55@git.example.org/x.git", "API_KEY a8Kd03LmQz71XyVb55"],
    ["Server=db;User Id=sa;Password=Tr4um!haus;", "PASSWORD Tr4um!haus"],
    ["my password is Tr4um!haus&co.", "PASSWORD Tr4um!haus&co"],
    ["mysql --password Tr4umhaus", "PASSWORD Tr4umhaus"],
    ["DB_PASSWORD: 'traumhaus'", "PASSWORD traumhaus"],
    ["password: traumhaus\nuser: nora", "PASSWORD traumhaus"],
    ["password: string, password?: string"],
    ["password=${DB_PASSWORD} password=<password> password=******** password=[PASSWORD_1]"],
    ["const password = getPassword(); password = input"],
    ["The password is incorrect. Your password was changed."],
    ["Reset password: https://example.org/reset"],
    ["max_tokens: 4096, token count: 1250000, next_token=abc"],
    ["sk-learn-pipeline-with-many-steps-inside"],
    ["-----BEGIN PUBLIC KEY-----\nMHcCAQEE\n-----END PUBLIC KEY-----"],
    ["eyJub3QiOiJhIGhlYWRlciJ9.e30.x"],
    ["ssh://git@example.org/x.git"],
    ["postgres://user:password@localhost/db"],
    ["d41d8cd98f00b204e9800998ecf8427e"],
    ["https://example.org/a8Kd03LmQz71XyVb55"],
  ]);
  findsUnderKeys([
    ["password", "traumhaus", "PASSWORD traumhaus"],
    ["passphrase", "correct horse battery staple", "PASSWORD correct horse battery staple"],
    ["api_key", "d41d8cd98f00b204e9800998ecf8427e", "API_KEY d41d8cd98f00b204e9800998ecf8427e"],
    ["accessToken", "a8Kd03LmQz71XyVb55", "API_KEY a8Kd03LmQz71XyVb55"],
    ["nextPageToken", "a8Kd03LmQz71XyVb55"],
    ["Authorization", "Basic bm9yYTpnZWhlaW0=", "API_KEY Basic bm9yYTpnZWhlaW0="],
    ["password", "********"],
    ["password_changed_at", "2026-03-14"],
    ["password_policy", "At least twelve characters"],
    ["password", "Choose one that you do not use elsewhere, please."],
    ["commit", "d41d8cd98f00b204e9800998ecf8427ed41d8cd9"],
    ["token_type", "bearer"],
  ]);
});

describe("postal codes and dates of birth", () => {
  finds([
    ["ZIP 94105", "POSTAL_CODE 94105"],
    ["zip code: 94105-1234", "POSTAL_CODE 94105-1234"],
    ["postcode SW1A 2AA", "POSTAL_CODE SW1A 2AA"],
    ["PLZ 10115", "POSTAL_CODE 10115"],
    ["born on 3 May 1985", "DATE_OF_BIRTH 3 May 1985"],
    ["Date of birth: 1985-05-03", "DATE_OF_BIRTH 1985-05-03"],
    ["geboren am 03.05.1985", "DATE_OF_BIRTH 03.05.1985"],
    ["DOB 05/03/1985", "DATE_OF_BIRTH 05/03/1985"],
    ["94105"],
    ["due on 3 May 2026"],
    ["born to run 100 miles"],
    ["Date of birth: 1985-15-03"],
  ]);
  findsUnderKeys([
    ["zip", "94105", "POSTAL_CODE 94105"],
    ["postalCode", "SW1A 2AA", "POSTAL_CODE SW1A 2AA"],
    ["dob", "1985-05-03", "DATE_OF_BIRTH 1985-05-03"],
    ["birthDate", "1985-05-03", "DATE_OF_BIRTH 1985-05-03"],
    ["created_at", "1985-05-03"],
    ["zip_file", "archive"],
  ]);
});

describe("what is not personal", () => {
  it.each([
    "2026-03-14T08:15:30.123Z",
    "2026-03-14 08:15:30+01:00",
    "Sat, 14 Mar 2026 08:15:30 GMT",
    "b3f1c9d2-77aa-4c1e-9f00-5d2c8e4a1b7f",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "$1,234,567.89 and 1.234.567,89 €",
    "52.520008, 13.404954",
    "#W2378156",
    "INV-2026-000481",
    "1753156414000",
    "9007199254740991",
    "3.14159265358979",
    "1.2.3-beta.4+build.567",
    "ISBN 978-3-16-148410-0",
    "SKU KX-1000482-BL",
    "0x7ffee4c0a1b2",
    "#ff8800",
    "1920x1080@60",
    "/users/519842031/orders/4532019283746500",
    "https://example.org/item/6285550143?page=12",
    "const x = rows.filter((r) => r.id > 100000);",
    "for i in range(1000000): total += i",
    '{"width": 1024, "height": 768}',
    "bytes 0-1048575/146515",
    "cache-control: max-age=31536000",
    "Row 1048576 of 2097152 (50.0%)",
    "C++ 17, Python 3.12.4, Node v20.19.0",
    "arXiv:2403.12345v2, doi:10.1000/182",
    "192.168",
    "1-2-3-4-5-6-7-8-9-0",
    "00000189",
    "gid://shop/Product/8429173604512",
    "utm_source=news&utm_id=20260314",
    "T-shirt, size 42, 3 for 2",
    "am 14. März 2026 um 10:30 Uhr",
    "population 331900000",
    "12 345 678 901",
    "100 020 003 000",
  ])("%j", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("all of them", () => {
  it("stand in order and apart, within the text, whatever it is", () => {
    const piece = fc.constantFrom(
      "nora@example.org",
      "+49 30 901820",
      "4532019283746500",
      "519-84-2031",
      "DE44500105175407324931",
      "81.2.69.142",
      "password=",
      "Tel: ",
      "SSN ",
      " ",
      ",",
      "\n",
      "@",
      ":",
      "-",
      "(",
      "1",
      "a",
      "é",
      "\u{1f600}",
      "://",
      "eyJ",
      "2001:db8::1",
      "-----BEGIN PRIVATE KEY-----",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.array(piece, { maxLength: 20 }).map((all) => all.join("")),
    );
    const key = fc.constantFrom(undefined, "phone", "password", "id", "email", "zip", "dob", "token");
    fc.assert(
      fc.property(text, key, (value, name) => {
        let end = 0;
        for (const finding of findValues(value, { key: name })) {
          expect(finding.start).toBeGreaterThanOrEqual(end);
          expect(finding.end).toBeGreaterThan(finding.start);
          expect(finding.end).toBeLessThanOrEqual(value.length);
          expect(finding.confidence).toBeGreaterThanOrEqual(0.5);
          end = finding.end;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("are found in the same way each time", () => {
    const text =
      "nora@example.org 4532019283746500 SSN 519842031 born 1985-05-03 00:1b:44:11:3a:b7 sk-proj-a8Kd03LmQz71XyVb55RtUw92";
    const first = findValues(text);
    expect(first).toHaveLength(6);
    expect(findValues(text)).toEqual(first);
  });

  it.each([
    "a",
    "1",
    "@",
    " ",
    ":",
    "-",
    "1 ",
    "a@",
    "(1",
    "+1 ",
    "password=",
    "-----BEGIN PRIVATE KEY-----",
    "eyJ",
    "://a@",
    "0 ",
    "A1 ",
    '"@',
    "1.",
    "ff:",
  ])("are looked for in a long text of %j", (unit) => {
    const text = unit.repeat(Math.ceil(500_000 / unit.length));
    expect(findValues(text, {}).length).toBeLessThan(2);
  });
});
