// 1,000 contacts go from a sheet into a CRM. The CRM gets names and addresses; the model gets counts, and tokens where the
// program prints somebody. `node examples/contacts.js` after `npm ci`.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startKeyhole, tell } from "./start.js";

const { keyhole, dir, close } = await startKeyhole({ sheet: [], crm: ["crm.json"] });
try {
  const result = await keyhole.run(`
    let created = 0;
    let first;
    for (let from = 0, total = 1; from < total; ) {
      const page = await sheet.getRows({ from, count: 100 });
      first ??= page.rows[0];
      created += (await crm.createContacts({ contacts: page.rows })).created;
      total = page.total;
      from += page.rows.length;
    }
    console.log("the first:", first);
    return { created };
  `);
  tell(result);
  const [[, contact]] = JSON.parse(await readFile(join(dir, "crm.json"), "utf8"));
  if (result.text.includes(contact.email)) throw new Error("The model has seen an address");
  console.log(
    `in the CRM: ${contact.name.length > 0 && contact.email.includes("@") ? "the values themselves" : "tokens"}`,
  );
} finally {
  await close();
}
