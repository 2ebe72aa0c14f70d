import { expect, test } from "vitest";
import { parse } from "../prepare/oxc.ts";
import { findNodeUse } from "./node-use.ts";

function use(source: string) {
  const { requires, importEquals, globals } = findNodeUse(source, parse(source));
  return [...requires, ...importEquals]
    .map(({ specifier }) => specifier)
    .concat(globals.map((name) => `(${name})`));
}

test.each<[string, string[]]>([
  ["path.join('a')", ["(path)"]],
  ["const { join } = path", ["(path)"]],
  ["f({ path })", ["(path)"]],
  ["f(...process.argv)", ["(process)"]],
  ["({ ...process.env })", ["(process)"]],
  ["fs?.readFile('a')", ["(fs)"]],
  ["new events.EventEmitter()", ["(events)"]],
  ["a[path.sep]; class A { [util.inspect.custom]() {} }", ["(path)", "(util)"]],
  ["function f(a = os.EOL) {}", ["(os)"]],
  ["const { a = os.EOL } = {}", ["(os)"]],
  ["(fs as any).x; fs!.y", ["(fs)"]],
  ["crypto.createHash('md5')", ["(crypto)"]],
  ["const { randomBytes } = crypto", ["(crypto)"]],
  ["crypto.subtle; crypto.randomUUID(); crypto['getRandomValues']", []],
  ["a.path; a?.url; ({ path: 1, fs() {} }); class B { path = 1; static os() {} }", []],
  ["const path = 1; path.x", []],
  ["function f({ url, a: [stream] }, ...events) { return url + stream + events }", []],
  ["try {} catch (process) { process.x }", []],
  ["import os from './servers/a'; os.b", []],
  ["fs: for (;;) break fs", []],
  ["type path = string; let a: path; let b: typeof fs; interface C { os: url }", []],
  ["enum util { a } util.a", []],
  ["// path.join\n'fs.readFile'; `util.x`", []],
  ["`${path.sep}`", ["(path)"]],
  ["require('a'); require(`b`); x.require('c'); require(d); require(`e${f}`)", ["a", "b"]],
  ["require('path').join; const { x } = require('fs')", ["path", "fs"]],
  ["const require = 1; require('a')", []],
  ["import a = require('fs'); a.b", ["fs"]],
])("what is used of Node in %s", async (source, found) => {
  expect(use(source)).toEqual(found);
});
