// The compiler leaves declaration files where they are; the type check reads them from dist/.
import { cpSync } from "node:fs";

const [target = "dist"] = process.argv.slice(2);

cpSync("src/world/declarations", `${target}/world/declarations`, {
  recursive: true,
  filter: (path) => !path.endsWith(".json"),
});
