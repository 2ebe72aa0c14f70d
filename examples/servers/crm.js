// A CRM that keeps its records in a file: `crm.js FILE`. Each write is there as a whole, or not at all.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { serveTools } from "./serve.js";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Which file? node crm.js FILE");
const records = new Map(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);

function save() {
  writeFileSync(`${file}.new`, JSON.stringify([...records]));
  renameSync(`${file}.new`, file);
}

const contact = z.object({
  name: z.string(),
  email: z.string(),
  phone: z.string().optional(),
  company: z.string().optional(),
});

serveTools("crm", "Contacts and leads of the sales team.", {
  create_contacts: {
    description:
      "Creates contacts, at most 100 at once, and gives their ids in order. Who is there already, by e-mail address, keeps the id.",
    input: z.object({ contacts: z.array(contact).max(100) }),
    output: z.object({ ids: z.array(z.string()), created: z.number() }),
    run: ({ contacts }) => {
      const before = records.size;
      const known = new Map([...records].map(([id, { email }]) => [email, id]));
      const ids = contacts.map((one) => {
        const id = known.get(one.email) ?? `C${records.size + 1}`;
        known.set(one.email, id);
        records.set(id, { ...records.get(id), ...one });
        return id;
      });
      save();
      return { ids, created: records.size - before };
    },
  },
  update_lead: {
    description: "Adds a note to a lead, which is made if it is not there.",
    input: z.object({ lead: z.string(), note: z.string() }),
    output: z.object({ lead: z.string(), notes: z.number() }),
    run: ({ lead, note }) => {
      const known = records.get(lead) ?? {};
      const notes = [...(known.notes ?? []), note];
      records.set(lead, { ...known, notes });
      save();
      return { lead, notes: notes.length };
    },
  },
  count_contacts: {
    description: "How many contacts and leads there are.",
    input: z.object({}),
    output: z.object({ total: z.number() }),
    reads: true,
    run: () => ({ total: records.size }),
  },
});
