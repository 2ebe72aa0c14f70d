// What was worked out once is used again: one conversation saves a skill, another one, which knows nothing of it, finds it by its
// own words and uses it. `node examples/skill.js` after `npm ci`.
import { startKeyhole, tell } from "./start.js";

const { keyhole, close } = await startKeyhole({ tracker: [] });
try {
  const saved = await keyhole.run(
    `
    const code = [
      "/** Open issues by the part of the shop that they are about, the most wanted first. */",
      "export async function countVotes(least = 0): Promise<{ area: string; votes: number }[]> {",
      "  const votes = new Map<string, number>();",
      "  for (let page = 1, left = 1; left > 0; page++) {",
      "    const { issues } = await tracker.listIssues({ state: 'open', page });",
      "    for (const { title, votes: given } of issues) {",
      "      const [area = ''] = title.split(' ');",
      "      votes.set(area, (votes.get(area) ?? 0) + given);",
      "    }",
      "    left = issues.length;",
      "  }",
      "  return [...votes].map(([area, votes]) => ({ area, votes })).filter((one) => one.votes >= least).sort((a, b) => b.votes - a.votes);",
      "}",
    ].join("\\n");
    return saveSkill({
      name: "votes-by-area",
      description: "Adds up the votes of the shop's open issues for each area of it. Use it to see where customers are unhappy.",
      code,
      tags: ["issues", "tracker"],
    });
  `,
    { session: "monday" },
  );
  tell(saved);

  const found = await keyhole.search("which part of the shop bothers customers most?");
  console.log(`\n${found.text}\n`);

  tell(
    await keyhole.run(
      `
      import { countVotes } from "./skills/votes-by-area";
      const areas = await countVotes(1_000);
      return areas.slice(0, 3);
    `,
      { session: "tuesday" },
    ),
  );
} finally {
  await close();
}
