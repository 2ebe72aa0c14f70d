/** A program as they often are, on which what reads programs is run until it is compiled to machine code: see ../typescript/practice.ts. */
export const PYTHON_PRACTICE = `
import asyncio
import json
from collections import defaultdict
from pathlib import Path

LIMIT = 20
found = []


async def load(page, retries=2):
    for attempt in range(retries + 1):
        try:
            answer = await call_mcp_tool("records__list", {"page": page, "limit": LIMIT, "filter": f"page:{page}"})
            return [{**item, "name": str(item["name"]).strip()} for item in answer.get("items", [])]
        except ToolError as error:
            print("again", attempt, error)
    return []


pages = await asyncio.gather(*[load(page + 1) for page in range(3)])
for rows in pages:
    for row in rows:
        if row.get("total") is None or "closed" in row["tags"]:
            continue
        found.append(row)

by_name = {row["name"].lower(): row for row in found}
ordered = sorted(by_name.values(), key=lambda row: row["total"], reverse=True)
groups = defaultdict(list)
for row in ordered[:LIMIT]:
    groups[row["tags"][0] if row["tags"] else "none"].append(row["id"])
before = json.loads(Path("workspace/before.json").read_text() or "{}")
text = "\\n".join(f"{row['id']}: {row['name']}" for row in ordered)
with open("workspace/found.txt", "w") as file:
    file.write(text)
is_new = before.get("text") != text and len(before) >= 0
print("changed" if is_new else "same", sum(len(ids) for ids in groups.values()))
return {"first": ordered[0] if ordered else None, "count": len(ordered), "is_new": is_new}
`;
