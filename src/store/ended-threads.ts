import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

const KEY = "keyhole: ended threads";

/** A thread of this process that ended in the middle of its work: what it held is nobody's. Threads started from now on know it. */
export function noteEndedThread(threadId: number): void {
  setEnvironmentData(KEY, [...endedThreads(), threadId]);
}

/** The ids of threads are never used again. */
export function isEndedThread(threadId: number): boolean {
  return endedThreads().includes(threadId);
}

function endedThreads(): readonly unknown[] {
  const ended: unknown = getEnvironmentData(KEY);
  return Array.isArray(ended) ? ended : [];
}
