import { FINE_OR_TOO_MUCH, type ProgramCase } from "./case.ts";

/** Small programs that keep a type checker busy, or fill its memory. */
const TYPES: Readonly<Record<string, string>> = {
  "a union of 10 million words": `type D = "0"|"1"|"2"|"3"|"4"|"5"|"6"|"7"|"8"|"9";
    const x: \`\${D}\${D}\${D}\${D}\${D}\${D}\${D}\` = "1234567"; return x;`,
  "products of large unions": `type U<P extends string> = \`\${P}\${"a"|"b"|"c"|"d"|"e"|"f"|"g"|"h"}\`;
    type A = U<U<U<U<"">>>>; type B = [A, A]; type F = { [K in A as \`\${K}\${A & string}\`]: B };
    const f: keyof F = "aaaabbbb"; return f;`,
  "tuples that double": `type Twice<T extends unknown[]> = [...T, ...T];
    type A = Twice<Twice<Twice<Twice<Twice<Twice<Twice<Twice<Twice<Twice<[1, 2, 3, 4, 5, 6, 7, 8]>>>>>>>>>>;
    type P = A[number] extends infer N ? { [K in keyof A]: [A, N, K] } : never; const p: P = 1; return p;`,
  "a recursion without an end": `type Count<N extends number, A extends 0[] = []> = A["length"] extends N ? A : Count<N, [...A, 0]>;
    const a: Count<900> = []; const b: Count<901> = []; const c: Count<902> = []; return [a, b, c];`,
  "a recursion that branches": `type Tree<N, D extends 0[] = []> = D["length"] extends 18 ? N : [Tree<N, [...D, 0]>, Tree<[N], [...D, 0]>];
    const t: Tree<1> = [] as never as Tree<2>; return t;`,
  "generics that grow": `type A<T> = { a: B<T[]>; b: B<[T, T]> }; type B<T> = { a: A<T[]>; b: A<{ t: T }> };
    declare let x: A<string>; declare let y: A<number>; x = y; return 1;`,
  "overloads by the thousand": `${Array.from({ length: 3_000 }, (_, n) => `declare function f(a: ${n}, b: "${n}"): ${n};`).join("\n")}
    return [${Array.from({ length: 500 }, () => "f(-1, 'x')").join(",")}];`,
  "intersections of unions": `${Array.from({ length: 14 }, (_, n) => `type U${n} = { k${n}: 1; z: "a${n}" } | { k${n}: 2 } | { l${n}: 3 };`).join("\n")}
    type All = ${Array.from({ length: 14 }, (_, n) => `U${n}`).join(" & ")}; const a: All = {} as unknown as All; const b: { no: 1 } = a; return b;`,
  "strings taken apart": `type Chars<S extends string> = S extends \`\${infer C}\${infer R}\` ? C | Chars<R> | \`\${C}\${Chars<R> & string}\` : never;
    const c: Chars<"abcdefghijklmnopqrstuvwxyz0123456789"> = "z"; return c;`,
};

/** A check that takes too long is given up; then the program runs, and meets what it only declared. */
const ENDS = [...FINE_OR_TOO_MUCH.ends, "exception"];

export const TYPE_CASES: readonly ProgramCase[] = [
  ...Object.entries(TYPES).map(([name, text]) => ({ name: `types: ${name}`, code: () => text, ends: ENDS })),
  {
    name: "types: four of them at once",
    code: () => TYPES["a recursion that branches"] ?? "",
    copies: 4,
    ends: ENDS,
  },
];
