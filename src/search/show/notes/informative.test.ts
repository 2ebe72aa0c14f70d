import { describe, expect, it } from "vitest";
import { isFact, isInformative, saysExtent, saysResult } from "./informative.ts";

describe("a note on a parameter", () => {
  it.each([
    "Start of the period (YYYY-MM-DD)",
    "Due date in ISO 8601 format",
    "Radius in meters",
    "Time-out in milliseconds",
    "One of: line, bar, pie",
    "Sort order: 'asc' or 'desc'",
    "Number of results (default: 10; 1..100)",
    "Defaults to the current user",
    "At most this many rows are kept",
    "Maximum number of items",
    "Required when type is custom",
    "Either this or the URL must be given",
    "Ignored if limit is set",
    "Comma-separated list of fields",
    "Addresses of the participants, separated by commas",
    "Absolute path of the file",
    "Page number, 1-based",
    "The id returned by search_tasks",
    "The id from listTasks",
    "If true, hidden files are listed too",
    "Ticker symbol, e.g. AAPL",
    "Leave empty for all",
    "日期，格式 yyyy-MM-dd",
  ])("tells more than a name and a type: %s", (text) => expect(isInformative(text)).toBe(true));

  it.each([
    "Name of the task.",
    "The name of the task to create",
    "Task title",
    "City name",
    "The user's email address",
    "Query to search for",
    "Repository owner",
    "Optional description",
    "The content of the message",
    "Unique identifier of the customer",
    "First name of the customer",
    "Whether to include archived tasks",
    "",
  ])("tells nothing that they do not: %s", (text) => expect(isInformative(text)).toBe(false));
});

describe("a sentence on a function", () => {
  it.each([
    "Returns at most 5 events.",
    "Results are sorted by date, newest first.",
    "The list is limited to 100 entries.",
    "Returns an empty list when there is no match.",
    'Returns "No events found." if nothing matches.',
  ])("says how much comes back, in which order, or the empty case: %s", (text) =>
    expect(saysExtent(text) && isFact(text)).toBe(true),
  );

  it.each(["Returns a list of tasks.", "The response contains the created task.", "返回任务列表"])(
    "says what comes back: %s",
    (text) => expect(saysResult(text)).toBe(true),
  );

  it.each(["Only works within allowed directories.", "Requires a title.", "Paths must be absolute."])(
    "says what has to hold: %s",
    (text) => expect(isFact(text)).toBe(true),
  );

  it.each([
    "Use this tool when you need to read one file.",
    "Useful for looking up customers.",
    "This tool is essential for understanding directories.",
    "Searches the tasks of a project.",
    "Comprehensive search of all customers.",
  ])("is no news to who has chosen it: %s", (text) => expect(isFact(text)).toBe(false));
});
