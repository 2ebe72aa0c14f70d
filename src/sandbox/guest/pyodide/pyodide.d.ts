/** Where these lie is said by the import map (../../deno/pyodide-start.ts). */
declare module "keyhole-pyodide/module" {
  const create: import("./load-python.js").CreateModule;

  export { create as default };
}
declare module "keyhole-pyodide/wasm" {
  const bytes: Uint8Array<ArrayBuffer>;

  export { bytes as default };
}
declare module "keyhole-pyodide/library" {
  const bytes: Uint8Array<ArrayBuffer>;

  export { bytes as default };
}
declare module "keyhole-pyodide/pack" {
  const bytes: Uint8Array<ArrayBuffer>;

  export { bytes as default };
}
