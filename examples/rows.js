// 10,000 rows are looked at in the sandbox; the model sees six lines. `node examples/rows.js` after `npm ci`.
import { startKeyhole, tell } from "./start.js";

const { keyhole, close } = await startKeyhole({ database: [] });
try {
  tell(
    await keyhole.run(`
      const { tables } = await database.listTables();
      const { rows } = await database.executeSQL({
        sql: "SELECT o.*, c.company, c.country FROM orders o JOIN customers c ON c.id = o.customer",
      });
      const pending = rows.filter((row) => row.status === "pending" && Number(row.cents) > 150_000);
      const byCountry = Object.groupBy(pending, (row) => String(row.country));
      console.log(tables.length, "tables,", rows.length, "orders,", pending.length, "large ones pending");
      return Object.entries(byCountry)
        .map(([country, all]) => ({ country, orders: all?.length ?? 0 }))
        .sort((a, b) => b.orders - a.orders)
        .slice(0, 5);
    `),
  );
} finally {
  await close();
}
