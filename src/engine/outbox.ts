/** For commands: most of them need no engine, and a model may read what they print. */
export { createOutbox } from "../result/outbox/outbox.ts";
