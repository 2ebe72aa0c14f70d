// The compiler leaves data where it is: the word lists of the detection of names, the prices of models, and the first process of a
// virtual machine.
import { cpSync } from "node:fs";

const [target = "dist"] = process.argv.slice(2);

cpSync("src/privacy/detect/prose/words", `${target}/privacy/detect/prose/words`, { recursive: true });
cpSync("src/audit/metering/prices.json", `${target}/audit/metering/prices.json`);
cpSync("src/sandbox/tiers/vm/guest/init.sh", `${target}/sandbox/tiers/vm/guest/init.sh`);
