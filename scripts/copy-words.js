// The compiler leaves word lists where they are; detection of names reads them at its first use.
import { cpSync } from "node:fs";

const [target = "dist"] = process.argv.slice(2);

cpSync("src/privacy/detect/prose/words", `${target}/privacy/detect/prose/words`, { recursive: true });
