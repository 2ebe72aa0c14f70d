// Runs inside the sandbox: Python, around it Pyodide, around that Deno without any permission. The guest is ../python; this hands
// it the two pipes and the program's folders. A program can get from Python to JavaScript (`import js` is empty, but any object of
// it leads there): what it finds is a world without Deno, as JavaScript's programs have.

import create from "keyhole-pyodide/module";
import pack from "keyhole-pyodide/pack" with { type: "bytes" };
import { guardPromises, removeGlobals } from "../javascript/globals.js";
import { mountFolders } from "./folder-mount.js";
import { loadPython } from "./load-python.js";
import { readPack } from "./pack.js";
import { createStdio } from "./stdio.js";

const deno = Deno;
const { exit, stderr } = deno;
guardPromises();
removeGlobals();
const { module, runPython } = await loadPython(create, readPack(pack));
pack.buffer.transfer(0);
const { read, wait, write, standStill } = createStdio(deno, (start) => {
  mountFolders(deno, module, start.folders);
  start.folders = start.folders.map((folder) => ({ ...folder, dir: `/${folder.name}` }));
});

const serve = runPython("from _keyhole.pyodide_stdio import serve; serve");
await serve.callPromising(
  ...[read, wait, write, standStill, exit],
  (/** @type {string} */ text) => stderr.writeSync(new TextEncoder().encode(text)),
  deno.args.includes("wait"),
);
