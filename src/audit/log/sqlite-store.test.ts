import { join } from "node:path";
import { testLogStore } from "../../../test/fixtures/audit/log-store-conformance.ts";
import { tempDir } from "../../../test/fixtures/project.ts";

testLogStore("SQLite", async () => {
  const projectDir = await tempDir();
  return { projectDir, userDir: join(projectDir, "home"), store: "sqlite" };
});
