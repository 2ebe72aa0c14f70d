// Makes what the runner starts from: Python with the guest's modules and much of its library loaded. It is told by stdin which
// files those are, and writes the snapshot to stdout. No program is anywhere near.

import library from "keyhole-pyodide/library" with { type: "bytes" };
import create from "keyhole-pyodide/module";
import wasm from "keyhole-pyodide/wasm" with { type: "bytes" };
import { removeGlobals } from "../javascript/globals.js";
import { loadPython } from "./load-python.js";

const GUEST_DIR = "/lib/keyhole/_keyhole";

const { stdin, stdout } = Deno;
/** @type {{ files: { [name: string]: string }, hashSeed: string }} */
const { files, hashSeed } = JSON.parse(await readAll());
removeGlobals();
const { module, runPython, makeMemorySnapshot } = await loadPython(create, { wasm, library, hashSeed });
module.FS.mkdirTree(GUEST_DIR);
const encoder = new TextEncoder();
for (const [name, text] of Object.entries(files))
  module.FS.writeFile(`${GUEST_DIR}/${name}`, encoder.encode(text), {});
runPython(`
import sys
sys.path.insert(0, "/lib/keyhole")
from _keyhole import pyodide_preload
sys.path.remove("/lib/keyhole")
`);
const bytes = makeMemorySnapshot();
for (let at = 0; at < bytes.length; ) at += stdout.writeSync(bytes.subarray(at));

async function readAll() {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(64 * 1024);
  let text = "";
  for (let count = await stdin.read(buffer); count !== null; count = await stdin.read(buffer))
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
  return text;
}
