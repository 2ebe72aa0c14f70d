// A task as an agent framework hands it over: what it needs is checked before anything runs.
import { createKeyhole } from "keyhole-mcp";

const keyhole = await createKeyhole({ project: new URL("..", import.meta.url).pathname, trust: true });
try {
  const task = {
    id: "count-docs",
    description: "How many pages of documentation are there, and how long are they?",
    requiredTools: ["filesystem__list_directory", "filesystem__read_text_file"],
    code: `
      import { listDirectory, readTextFile } from "./servers/filesystem";
      const { content } = await listDirectory({ path: "docs" });
      const pages = content.split("\\n").filter((line) => line.endsWith(".md")).map((line) => line.replace("[FILE] ", ""));
      const texts = await Promise.all(pages.map((page) => readTextFile({ path: "docs/" + page })));
      return pages.map((page, n) => ({ page, words: texts[n].content.split(/\\s+/).length }));
    `,
  };
  const { ok, taskId, text } = await keyhole.executeTask(task);
  console.log(taskId, ok ? "done" : "failed");
  console.log(text);
} finally {
  await keyhole.close();
}
