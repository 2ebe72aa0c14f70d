import { loadCollection } from "../check/corpus.ts";

/** Ordinary TypeScript of so many lines: programs as models write them, each in a function of its own. */
export async function createTypeScript(): Promise<(lines: number, variant: number) => string> {
  const written = (await loadCollection("right"))
    .map(({ source }) => source.trimEnd())
    .filter((source) => !source.split("\n").some((line) => UNFIT.some((word) => line.startsWith(word))));
  return (lines, variant) => {
    const parts: string[] = [];
    let count = 0;
    for (let index = variant * 7; count < lines; index++) {
      const body = written[index % written.length] ?? "";
      parts.push(`async function part${index}() {\n${body}\n}`);
      count += body.split("\n").length + 2;
    }
    return `${parts.join("\n").split("\n").slice(0, count).join("\n")}\nreturn await part${variant * 7}();`;
  };
}

/** These stand at the top of a program only. */
const UNFIT = ["import ", "export ", "declare ", "namespace "];

/** The same in Python, by rule: there are no programs of models' yet. */
export function createPython(lines: number, variant: number): string {
  const parts = [
    "import json",
    "from servers.github import list_issues, create_issue",
    "from servers.memory import read_graph",
  ];
  for (let index = variant; parts.length < lines; index++) parts.push(...toPythonPart(index));
  return [...parts, `await part_${variant}("acme")`].join("\n");
}

function toPythonPart(index: number): string[] {
  return `async def part_${index}(owner, limit=${index % 50}):
    found = []
    page = 1
    while True:
        batch = await list_issues(owner=owner, repo="repo-${index}", page=page)
        for issue in batch.get("issues", []):
            if issue["state"] == "open" and issue.get("labels"):
                found.append({"title": issue["title"], "who": issue["user"]["login"], "n": issue["number"]})
            elif "bug" in issue["title"].lower():
                found.append({"title": f"bug {issue['number']}: {issue['title']}", "who": None, "n": 0})
        if len(batch.get("issues", [])) < 100:
            break
        page += 1
    by_who = {}
    for one in sorted(found, key=lambda item: (-item["n"], item["title"])):
        by_who.setdefault(one["who"], []).append(one["title"])
    graph = await read_graph()
    names = [entity["name"] for entity in graph["entities"] if entity["name"] not in by_who]
    with open("workspace/report-${index}.json", "w") as file:
        file.write(json.dumps({"by": by_who, "names": names[:limit]}))
    return await create_issue(owner=owner, repo="reports", title="Report ${index}", body=str(by_who))`.split(
    "\n",
  );
}
