// The guest that runs Python is Python: the compiler leaves it where it is.
import { cpSync, statSync } from "node:fs";

const [target = "dist"] = process.argv.slice(2);

for (const folder of ["python", "pyodide"])
  cpSync(`src/sandbox/guest/${folder}`, `${target}/sandbox/guest/${folder}`, {
    recursive: true,
    filter: (path) => path.endsWith(".py") || (statSync(path).isDirectory() && !path.includes("__pycache__")),
  });
