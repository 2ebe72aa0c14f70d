// A shop's database, on a real SQLite: 10,000 orders of 500 customers. `database.js [FILE]`, in memory without one.
import Database from "libsql";
import { z } from "zod";
import { createNumbers } from "./numbers.js";
import { serveTools } from "./serve.js";

const ORDERS = 10_000;
const CUSTOMERS = 500;
const db = new Database(process.argv[2] ?? ":memory:");
if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'orders'").get() === undefined) fill();

function fill() {
  db.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, company TEXT NOT NULL, country TEXT NOT NULL);
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customers, status TEXT NOT NULL,
      cents INTEGER NOT NULL, placed TEXT NOT NULL
    );
    BEGIN;`);
  const number = createNumbers(7);
  const countries = ["DE", "FR", "GB", "IT", "NL", "PL", "SE", "US"];
  const statuses = ["paid", "paid", "paid", "shipped", "shipped", "pending", "refunded"];
  const addCustomer = db.prepare("INSERT INTO customers VALUES (?, ?, ?)");
  for (let id = 1; id <= CUSTOMERS; id++)
    addCustomer.run([id, `Company ${id}`, countries[number(countries.length)]]);
  const addOrder = db.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?)");
  for (let id = 1; id <= ORDERS; id++) {
    const placed = new Date(Date.UTC(2026, 0, 1) + number(300) * 86_400_000).toISOString().slice(0, 10);
    const status = statuses[number(statuses.length)];
    addOrder.run([id, 1 + number(CUSTOMERS), status, 500 + number(200_000), placed]);
  }
  db.exec("COMMIT");
}

serveTools("database", "The shop's orders and customers, in SQL (SQLite).", {
  listTables: {
    description: "All tables, with the statement that made each.",
    input: z.object({}),
    output: z.object({ tables: z.array(z.object({ name: z.string(), sql: z.string() })) }),
    reads: true,
    run: () => ({
      tables: db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").all(),
    }),
  },
  executeSQL: {
    description: "Runs one SELECT statement and gives all its rows, as objects.",
    input: z.object({
      sql: z.string().describe("A SELECT; values as ?"),
      values: z.array(z.union([z.string(), z.number(), z.null()])).optional(),
    }),
    output: z.object({ rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))) }),
    reads: true,
    run: ({ sql, values = [] }) => {
      const statement = db.prepare(sql);
      if (!statement.reader || !/^\s*(select|with)\b/i.test(sql)) throw new Error("Only SELECT statements");
      return { rows: statement.all(values) };
    },
  },
});
