import { expect, it } from "vitest";
import { toolRecord } from "../../test/fixtures/codegen/records.ts";
import { withoutNones } from "./absent-arguments.ts";

const properties = {
  status: { enum: ["open", "closed"] },
  page: { type: "integer" },
  parent: { type: ["string", "null"] },
  any: {},
  id: { type: "string" },
};
const tool = toolRecord({ name: "list", inputSchema: { type: "object", properties, required: ["id"] } });

it("None is left out where the tool can do without it and takes no null", () => {
  const nothing = { status: null, page: null, parent: null, any: null, id: null };
  expect(withoutNones(nothing, tool)).toEqual({ parent: null, any: null, id: null });
  const args = { page: 1, other: null };
  expect(withoutNones(args, tool)).toEqual(args);
});
