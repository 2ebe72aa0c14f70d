import { readHeader, type TableColumns } from "../json/tables.ts";
import { readKey } from "../keys/key-meaning.ts";
import type { KeyVerdict } from "../keys/key-verdict.ts";
import { isHeaderCell } from "./cells.ts";
import { cutPart, type Decoded } from "./decoded.ts";
import { decodeEntities } from "./entities.ts";
import { addFields, addValue, type LabelledValue, type TextWalk } from "./fields.ts";
import { readTag, type Tag } from "./tags.ts";

const MAX_OPEN = 100;
const LABELS = new Set(["label", "dt", "b", "strong", "th", "em", "legend"]);
/** Elements of HTML: their names say how a text looks, not what it is. */
const HTML = new Set(
  "html head body div span p a b i u em strong small h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr td th caption br hr img input button form label select option textarea section article header footer nav main aside script style link meta title pre code blockquote fieldset legend iframe svg path center font sup sub figure figcaption noscript video audio source canvas picture details summary time abbr address cite q mark col colgroup".split(
    " ",
  ),
);
const VOID = new Set(["br", "hr", "img", "input", "meta", "link", "col", "source"]);

type Cell = { readonly isHead: boolean; readonly parts: Decoded[] };
type Open = { readonly name: string; readonly group: number };
type State = {
  readonly fields: LabelledValue[];
  open: Open[];
  groups: number;
  label: string | undefined;
  cell: Cell | undefined;
  row: Cell[];
  table: TableColumns | undefined;
};

/** HTML and XML: elements and attributes by their names, tables by their heads, texts by the label before them. */
export function addMarkup(walk: TextWalk): void {
  const { text } = walk;
  const state: State = {
    fields: [],
    open: [],
    groups: 0,
    label: undefined,
    cell: undefined,
    row: [],
    table: undefined,
  };
  let at = text.indexOf("<");
  while (at !== -1) {
    const tag = readTag(text, at);
    if (typeof tag === "number") {
      at = text.indexOf("<", tag);
      continue;
    }
    if (tag.isEnd) closeTag(walk, state, tag.name.toLowerCase());
    else openTag(walk, state, tag);
    const textEnd = text.indexOf("<", tag.end);
    if (tag.end < (textEnd === -1 ? text.length : textEnd))
      addText(state, decodeEntities(text, tag.end, textEnd === -1 ? text.length : textEnd));
    at = textEnd;
  }
  closeRow(walk, state);
  addFields(walk, state.fields);
}

function openTag(walk: TextWalk, state: State, tag: Tag): void {
  const name = tag.name.toLowerCase();
  addAttributes(walk, state, tag, name);
  if (name === "table") state.table = undefined;
  if (name === "tr") closeRow(walk, state);
  if (name === "td" || name === "th") {
    closeCell(state);
    state.cell = { isHead: name === "th", parts: [] };
  }
  if (name === "dt" || name === "tr" || name === "p" || name === "li" || name === "div")
    state.label = undefined;
  if (tag.isEmpty || VOID.has(name)) return;
  state.groups++;
  if (state.open.length < MAX_OPEN) state.open.push({ name: tag.name, group: state.groups });
}

function closeTag(walk: TextWalk, state: State, name: string): void {
  if (name === "td" || name === "th") closeCell(state);
  if (name === "tr" || name === "table") closeRow(walk, state);
  if (name === "table") state.table = undefined;
  const last = state.open.findLastIndex((open) => open.name.toLowerCase() === name);
  if (last !== -1) state.open.length = last;
}

function addText(state: State, value: Decoded): void {
  const text = value.text.trim();
  if (text === "") return;
  if (state.cell !== undefined) {
    state.cell.parts.push(value);
    return;
  }
  const inner = state.open.at(-1);
  const name = inner?.name.toLowerCase() ?? "";
  if (inner !== undefined && !HTML.has(name)) {
    const above = state.open.slice(0, -1).map((open) => localName(open.name));
    state.fields.push({ key: localName(inner.name), above, group: state.open.at(-2)?.group ?? 0, value });
    return;
  }
  if (state.label !== undefined) {
    state.fields.push({ key: state.label, above: [], group: -1, value });
    state.label = undefined;
    return;
  }
  const label = text.replace(/\s*[:：]$/, "");
  const isLabel =
    (label !== text || LABELS.has(name)) && isHeaderCell(label) && readKey(label).kind !== "none";
  if (isLabel) state.label = label;
}

function addAttributes(walk: TextWalk, state: State, tag: Tag, name: string): void {
  const { attributes } = tag;
  if (attributes.size === 0) return;
  for (const link of ["href", "xlink:href", "action"]) addLink(walk, attributes.get(link));
  const isHtml = HTML.has(name);
  const named =
    attributes.get("name") ??
    attributes.get("property") ??
    attributes.get("itemprop") ??
    attributes.get("id");
  const content = attributes.get("value") ?? attributes.get("content");
  if (isHtml && named !== undefined && content !== undefined)
    state.fields.push({ key: named.text, above: [], group: -2, value: content });
  const group = -3 - state.groups;
  for (const [key, value] of attributes) {
    if (isHtml && !key.startsWith("data-")) continue;
    state.fields.push({ key: key.replace(/^data-/, ""), above: [localName(tag.name)], group, value });
  }
}

/** `mailto:` and `tel:` say what follows. */
function addLink(walk: TextWalk, link: Decoded | undefined): void {
  const scheme = link === undefined ? null : /^\s*(mailto|tel|sms):/i.exec(link.text);
  if (link === undefined || scheme === null) return;
  const to = link.text.indexOf("?") === -1 ? link.text.length : link.text.indexOf("?");
  const from = scheme[0].length;
  const verdict: KeyVerdict = {
    class: scheme[1]?.toLowerCase() === "mailto" ? "EMAIL" : "PHONE",
    confidence: 0.95,
    takes: "whole",
    rule: `link:${scheme[1]?.toLowerCase()}`,
  };
  addValue(walk, verdict, cutPart(link, from, to));
}

function closeCell(state: State): void {
  if (state.cell !== undefined) state.row.push(state.cell);
  state.cell = undefined;
}

/** A row of heads names columns; a head beside a cell names that; so does a first cell that is a label. */
function closeRow(walk: TextWalk, state: State): void {
  closeCell(state);
  const { row } = state;
  state.row = [];
  if (row.length === 0) return;
  const keys = row.map(({ parts }) =>
    parts
      .map(({ text }) => text)
      .join(" ")
      .trim(),
  );
  const areHeads = row.every(({ isHead }) => isHead);
  if (state.table === undefined && row.length > 1 && keys.every(isHeaderCell)) {
    const table = readHeader(keys);
    const known = table?.verdicts.filter((verdict) => verdict !== undefined).length ?? 0;
    if (table !== undefined && (areHeads || (known * 2 >= row.length && row.length > 2))) {
      state.table = table;
      return;
    }
  }
  if (state.table !== undefined && !areHeads) {
    row.forEach((cell, column) => {
      for (const part of cell.parts)
        addValue(walk, state.table?.verdicts[column], part, state.table?.keys[column]);
    });
    return;
  }
  const [label = ""] = keys;
  if (row.length < 2 || !isHeaderCell(label)) return;
  for (const cell of row.slice(1))
    for (const value of cell.parts)
      state.fields.push({ key: label.replace(/\s*[:：]$/, ""), above: [], group: -4, value });
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
