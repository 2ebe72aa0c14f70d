// What each agent has its programs do. They know nothing of each other but the shared workspace `desk`: its state is where work
// is handed over, its folder where results lie.

/** Reads all open issues, and puts them down in batches for whoever analyses them. */
const gather = `
  const desk = state.shared("desk");
  const page = await state.get("page", 1);
  const { total, issues } = await tracker.listIssues({ state: "open", page });
  if (issues.length > 0) {
    await desk.set("batch:" + String(page).padStart(3, "0"), { issues });
    await state.set("page", page + 1);
    return { done: false, gathered: issues.length };
  }
  await desk.set("gathered", { total });
  return { done: true, total };
`;

/** Takes a batch that nobody has finished, and leaves its result there. Whoever is killed in the middle has left it untaken. */
const analyse = `
  const desk = state.shared("desk");
  const names = await desk.list("batch:");
  const gathered = await desk.get("gathered");
  for (const name of names) {
    const batch = await desk.get(name);
    if (batch.counts) continue;
    const counts = {};
    for (const { title, votes } of batch.issues) {
      const area = title.split(" ")[0];
      counts[area] = (counts[area] ?? 0) + votes;
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    await desk.update(name, (now) => ({ ...now, counts }));
    return { done: false, analysed: name };
  }
  if (gathered === undefined) await new Promise((resolve) => setTimeout(resolve, 200));
  return { done: gathered !== undefined };
`;

/** Waits until all is analysed, and writes the report. */
const write = `
  const desk = state.shared("desk");
  const names = await desk.list("batch:");
  const batches = await Promise.all(names.map((name) => desk.get(name)));
  const isReady = (await desk.get("gathered")) !== undefined && batches.every(({ counts }) => counts);
  if (!isReady) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { done: false };
  }
  const votes = {};
  for (const { counts } of batches)
    for (const [area, number] of Object.entries(counts)) votes[area] = (votes[area] ?? 0) + number;
  const lines = Object.entries(votes).sort(([, a], [, b]) => b - a).map(([area, number]) => "- " + area + ": " + number);
  await fs.promises.writeFile("shared/desk/report.md", "# Votes by area\\n\\n" + lines.join("\\n") + "\\n");
  const report = await fs.promises.readFile("shared/desk/report.md", "utf8");
  return { done: true, issues: batches.flatMap(({ issues }) => issues).length, report };
`;

export const PROGRAMS = { gather, analyse, write };
