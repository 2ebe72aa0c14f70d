// A sheet of 1,000 contacts, all invented.
import { z } from "zod";
import { createNumbers } from "./numbers.js";
import { serveTools } from "./serve.js";

const MOST = 250;
const GIVEN = [
  "Nadia",
  "Omar",
  "Ines",
  "Lars",
  "Priya",
  "Tomas",
  "Mei",
  "Yusuf",
  "Clara",
  "Diego",
  "Hana",
  "Felix",
];
const FAMILY = [
  "Haddad",
  "Duarte",
  "Olsen",
  "Nair",
  "Novak",
  "Tanaka",
  "Rossi",
  "Mendes",
  "Brandt",
  "Okafor",
];
const FIRMS = ["Oakline", "Bluemill", "Larkfield", "Fernhill", "Quayside", "Stonebrook", "Redwharf"];

const number = createNumbers(11);
const pick = (list) => list[number(list.length)];
const rows = Array.from({ length: 1_000 }, (_, index) => {
  const [given, family, firm] = [pick(GIVEN), pick(FAMILY), pick(FIRMS)];
  return {
    name: `${given} ${family}`,
    email: `${given}.${family}${index}@${firm}.example`.toLowerCase(),
    phone: `+44 20 7946 ${String(number(10_000)).padStart(4, "0")}`,
    company: `${firm} Ltd`,
  };
});
const row = z.object({ name: z.string(), email: z.string(), phone: z.string(), company: z.string() });

serveTools("sheet", "A sheet of contacts.", {
  get_rows: {
    description: `Rows of the sheet, from 0 on, at most ${MOST} at once, and how many there are in all.`,
    input: z.object({ from: z.number().int().min(0), count: z.number().int().min(1).max(MOST) }),
    output: z.object({ total: z.number(), rows: z.array(row) }),
    reads: true,
    run: ({ from, count }) => ({ total: rows.length, rows: rows.slice(from, from + count) }),
  },
});
