// A job is started and asked for until it is done: one turn of the model instead of one a look. `node examples/job.js`
// after `npm ci`.
import { startKeyhole, tell } from "./start.js";

const { keyhole, close } = await startKeyhole({ tracker: ["1200"] });
try {
  tell(
    await keyhole.run(`
      const started = await tracker.startExport();
      let answer = await tracker.getExport(started);
      let looks = 1;
      while (answer.status !== "done") {
        await new Promise((resolve) => setTimeout(resolve, 200));
        answer = await tracker.getExport(started);
        looks++;
      }
      const rows = (answer.text ?? "").split("\\n").slice(1);
      await fs.promises.writeFile("workspace/issues.csv", answer.text ?? "");
      console.log(looks > 1 ? "waited for it" : "it was there at once");
      return { rows: rows.length, open: rows.filter((row) => row.includes(",open,")).length };
    `),
  );
} finally {
  await close();
}
