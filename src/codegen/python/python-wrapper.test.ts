import { expect, test } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { toPythonTypeNames, toPythonWrapper } from "./python-wrapper.ts";

const wrap = (parts: Parameters<typeof toolRecord>[0]) => {
  const tool = toolRecord(parts);
  return toPythonWrapper(tool, serverRecord("github", [tool])).code;
};

test("a wrapper has types, both ways to call, documentation and the call", () => {
  const code = wrap({
    name: "create_issue",
    description: "Creates an issue.",
    inputSchema: {
      type: "object",
      properties: {
        owner: { type: "string", description: "Repository owner" },
        labels: {
          type: "array",
          items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        },
      },
      required: ["owner"],
    },
    outputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  });
  expect(code).toBe(`from __future__ import annotations

from typing import Any, NotRequired, TypedDict, Unpack, overload

from .._keyhole import call_mcp_tool


class CreateIssueInputLabelsItem(TypedDict):
    name: str


class CreateIssueInput(TypedDict):
    owner: str
    labels: NotRequired[list[CreateIssueInputLabelsItem]]


class CreateIssueResponse(TypedDict):
    id: int


@overload
async def create_issue(arguments: CreateIssueInput, /) -> CreateIssueResponse: ...
@overload
async def create_issue(**kwargs: Unpack[CreateIssueInput]) -> CreateIssueResponse: ...
async def create_issue(arguments: Any = None, /, **kwargs: Any) -> CreateIssueResponse:
    """Creates an issue.

    Args:
        owner: Repository owner

    Changes data; may be destructive.
    """
    return await call_mcp_tool("github__create_issue", kwargs if arguments is None else arguments)
`);
});

test("keys that a class can't have use the other form, with later types in strings", () => {
  const code = wrap({
    name: "move",
    inputSchema: {
      type: "object",
      properties: { from: { $ref: "#/$defs/Place" }, kind: { enum: ["a\n", "b"] } },
      $defs: { Place: { type: "object", properties: { inner: { $ref: "#/$defs/Place" } } } },
    },
  });
  expect(code).toContain(`MoveInput = TypedDict("MoveInput", {
    "from": "NotRequired[Place]",
    "kind": NotRequired[Literal["a\\n", "b"]],
})`);
});

test("an open object may also be any dictionary", () => {
  const code = wrap({
    name: "t",
    inputSchema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
  });
  expect(code).toContain("async def t(arguments: TInput | dict[str, Any], /)");
});

test("each shape of the arguments has its own keywords", () => {
  const shape = (name: string) => ({ properties: { [name]: { type: "string" } }, required: [name] });
  const code = wrap({ name: "t", inputSchema: { type: "object", oneOf: [shape("a"), shape("b")] } });
  expect(code).toContain('TInput: TypeAlias = "TInputOption1 | TInputOption2"');
  expect(code).toContain("**kwargs: Unpack[TInputOption1]");
  expect(code).toContain("**kwargs: Unpack[TInputOption2]");
});

test("a function called like a type does not hide it", () => {
  const properties = { a: { type: "array", items: { type: "string" } } };
  const code = wrap({ name: "list", inputSchema: { type: "object", properties } });
  expect(code).toContain("from builtins import list as _list");
  expect(code).toContain("a: NotRequired[_list[str]]");
});

test("no two functions share the names of their types", () => {
  const names = ["a_b", "ab", "a__b", "a_1", "a1", "_a", "t_a", "t__a", "a_", "é"];
  const types = names.map((name) => toPythonTypeNames(toolRecord({ name })).input);
  expect(new Set(types).size).toBe(names.length);
});

test("a docstring holds whatever the description says", () => {
  const code = wrap({ name: "t", description: 'Says """ and ends in \\ or "' });
  expect(code).toContain('    """Says \\"\\"\\" and ends in \\\\ or \\"\n');
});
