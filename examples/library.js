// Keyhole as a library: `node examples/library.js` after `npm ci`, on the servers of this repository's own .mcp.json.
import { createKeyhole } from "keyhole-mcp";

const keyhole = await createKeyhole({ project: new URL("..", import.meta.url).pathname, trust: true });
try {
  const found = await keyhole.search("add two numbers");
  console.log(found.text);

  const result = await keyhole.run(`
    const sums = [];
    for (let n = 1; n <= 5; n++) sums.push(await everything.getSum({ a: n, b: n }));
    console.log(sums.length, "calls made");
    return sums.at(-1);
  `);
  console.log(result.ok, result.text);
  console.log(
    `seen by the model: ${result.receipt.seenTokens} tokens, directly: ${result.receipt.directTokens}`,
  );
} finally {
  await keyhole.close();
}
