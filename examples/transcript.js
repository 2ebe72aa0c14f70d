// A transcript goes from the documents into the CRM; the model never reads it. `node examples/transcript.js` after `npm ci`.
import { startKeyhole, tell } from "./start.js";

const { keyhole, close } = await startKeyhole({ docs: [], crm: ["crm.json"] });
try {
  tell(
    await keyhole.run(`
      const { documents } = await docs.findDocuments({ query: "sales meeting" });
      const { text } = await docs.getDocument({ id: documents[0].id });
      await crm.updateLead({ lead: "L42", note: text });
      const actions = text.split("\\n").filter((line) => line.includes("Action:"));
      console.log(text.length, "characters attached to L42");
      return actions;
    `),
  );
} finally {
  await close();
}
