import { parentPort } from "node:worker_threads";
import type { AnswerJob } from "./answer.ts";
import { readAnswer } from "./read-answer.ts";

/** The thread that reads large answers, one at a time. What it throws ends it, and the answer with it. */
parentPort?.on("message", (job: AnswerJob) => {
  const answer = readAnswer(job);
  if (answer.kind !== "value") return parentPort?.postMessage(answer);
  // A copy of its own, so that it can be handed over and not be copied.
  const json = new Uint8Array(answer.json);
  return parentPort?.postMessage({ ...answer, json }, [json.buffer]);
});
