import { type Node, parseSync } from "oxc-parser";
import { type GLOBAL_FILES, readDeclarations } from "./declarations.ts";
import { MODULE_NAMES } from "./modules.ts";

/** What a declared name holds: the names on it where they are declared too. */
export type Declared = { readonly name: string; readonly members: readonly string[] };

/** What a module exports: values, and names that are types alone. */
export type ModuleNames = { readonly values: readonly Declared[]; readonly types: readonly string[] };

type Scope = { readonly body: readonly Node[] };

/** The global values that a file declares. */
export function readGlobalNames(file: (typeof GLOBAL_FILES)[number]): readonly Declared[] {
  const { body } = parse(file);
  return valuesOf({ body });
}

let modules: ReadonlyMap<string, ModuleNames> | undefined;

/** What each module exports, by its name. */
export function readModuleNames(): ReadonlyMap<string, ModuleNames> {
  modules ??= new Map(MODULE_NAMES.map((name) => [name, readModule(name)]));
  return modules;
}

function readModule(name: string): ModuleNames {
  const file = name.split("/")[0] ?? name;
  const outer = parse(file).body.find(
    (node) => node.type === "TSModuleDeclaration" && node.id.type === "Literal" && node.id.value === name,
  );
  const body = blockOf(outer);
  const reference = body.find((node) => node.type === "TSImportEqualsDeclaration");
  const inner = body.find((node) => node.type === "TSModuleDeclaration");
  // `path/posix` is all of `path`.
  if (inner === undefined && reference !== undefined) return readModule(file);
  const scope = { body: blockOf(inner) };
  return { values: valuesOf(scope), types: typesOf(scope) };
}

function parse(file: string): Scope {
  const { program, errors } = parseSync(`${file}.d.ts`, readDeclarations(file), { lang: "dts" });
  const [first] = errors;
  if (first !== undefined) throw new SyntaxError(`${file}.d.ts: ${first.message}`);
  return program;
}

function blockOf(node: Node | undefined): readonly Node[] {
  return node?.type === "TSModuleDeclaration" && node.body?.type === "TSModuleBlock" ? node.body.body : [];
}

function valuesOf(scope: Scope): Declared[] {
  const found = new Map<string, Declared>();
  for (const node of scope.body.map(withoutExport)) {
    for (const declared of toValues(node, scope)) found.set(declared.name, declared);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function typesOf(scope: Scope): string[] {
  const values = new Set(valuesOf(scope).map(({ name }) => name));
  const names = scope.body.map(withoutExport).flatMap((node) => {
    const isType = node.type === "TSInterfaceDeclaration" || node.type === "TSTypeAliasDeclaration";
    return isType && !values.has(node.id.name) ? [node.id.name] : [];
  });
  return [...new Set(names)].sort();
}

function withoutExport(node: Node): Node {
  return node.type === "ExportNamedDeclaration" && node.declaration ? node.declaration : node;
}

function toValues(node: Node, scope: Scope): Declared[] {
  switch (node.type) {
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) =>
        id.type === "Identifier"
          ? [{ name: id.name, members: membersOf(id.typeAnnotation?.typeAnnotation, scope) }]
          : [],
      );
    case "TSDeclareFunction":
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return node.id ? [{ name: node.id.name, members: [] }] : [];
    case "TSImportEqualsDeclaration":
      return [{ name: node.id.name, members: [] }];
    default:
      return [];
  }
}

/** The names in `{ … }`, or in the interface that is named. */
function membersOf(type: Node | undefined, scope: Scope): string[] {
  if (type?.type === "TSTypeLiteral") return signatureNames(type.members);
  if (type?.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return [];
  const { name } = type.typeName;
  const found = scope.body.find((node) => node.type === "TSInterfaceDeclaration" && node.id.name === name);
  return found?.type === "TSInterfaceDeclaration" ? signatureNames(found.body.body) : [];
}

function signatureNames(members: readonly Node[]): string[] {
  const names = members.flatMap((member) =>
    (member.type === "TSMethodSignature" || member.type === "TSPropertySignature") &&
    !member.computed &&
    member.key.type === "Identifier"
      ? [member.key.name]
      : [],
  );
  return [...new Set(names)];
}
