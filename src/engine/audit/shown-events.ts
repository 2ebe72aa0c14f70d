/** Events for people, as the commands show them. */
export { toEventSummary } from "../../audit/query/summary.ts";
export {
  type TimelineLine,
  toDuration,
  toEventLines,
  toLocalTime,
  toRunTimeline,
  toSessionTimeline,
} from "../../audit/query/timeline.ts";
