/** One sheet for light and dark, for wide and narrow screens, and for paper. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --paper: #fff; --panel: #f6f8fa;
  --plain: #3b6fb6; --good: #2b7a4b; --warning: #b26a00; --bad: #b3261e; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --soft: #a3adb8; --line: #3a424c; --paper: #14181d; --panel: #1c2229;
  --plain: #7aa7e8; --good: #5dbb83; --warning: #e0a043; --bad: #f0807a; --link: #8ab8f0; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: auto; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
main, header, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.35rem; margin: 2.75rem 0 .5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; }
p { margin: .4rem 0 .8rem; max-width: 48rem; }
a { color: var(--link); }
.about, .rest, .note, .empty { color: var(--soft); font-size: .95rem; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0 0 1rem; }
dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.supports { border-left: 4px solid var(--plain); background: var(--panel); padding: .7rem 1rem; max-width: none; }
.tiles { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: .75rem; padding: 0; margin: 1.25rem 0; list-style: none; }
.tiles li { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem; }
.tiles b { display: block; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--soft); font-size: .9rem; line-height: 1.3; display: block; }
.verdict { border: 1px solid var(--line); border-left: 6px solid var(--warning); border-radius: .5rem; padding: .8rem 1rem; background: var(--panel); }
.verdict.good { border-left-color: var(--good); } .verdict.bad { border-left-color: var(--bad); }
.verdict strong { font-size: 1.1rem; } .verdict p, .verdict ul { max-width: none; margin: .3rem 0 0; overflow-wrap: anywhere; }
nav { font-size: .95rem; } nav ul { columns: 3 14rem; padding-left: 1.1rem; margin: .4rem 0; }
.gaps li { margin: .35rem 0; } .gaps .fix { color: var(--soft); }
.gap-id { white-space: nowrap; font-size: .85em; }
.control { border: 1px solid var(--line); border-radius: .5rem; padding: .2rem 1rem 1rem; margin: 1rem 0; break-inside: avoid; }
.control h3 { margin-top: .9rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2rem; }
.columns h4 { margin: .6rem 0 .2rem; font-size: .95rem; color: var(--soft); font-weight: 600; }
.columns ul { margin: .2rem 0; padding-left: 1.1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; margin: 0 0 .5rem; }
th, td { text-align: left; vertical-align: baseline; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; } thead th { border-bottom: 2px solid var(--line); }
td { overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
.zero { color: var(--soft); }
.id, code { font-family: ui-monospace, SFMono-Regular, Menlo, "Liberation Mono", monospace; font-size: .88em; }
.time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.trace { width: 3.5rem; white-space: nowrap; text-align: right; font-size: .85em; overflow-wrap: normal; }
.trace a { color: var(--soft); }
figure { margin: .8rem 0 1.2rem; } figcaption { font-weight: 600; margin-bottom: .3rem; }
.legend { list-style: none; padding: 0; margin: .2rem 0 .4rem; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .9rem; color: var(--soft); font-weight: 400; }
.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; vertical-align: -.05em; }
svg { display: block; width: 100%; height: auto; } svg.narrow { display: none; }
svg text { fill: var(--ink); font-size: 13px; font-family: inherit; } svg .axis { fill: var(--soft); } svg line { stroke: var(--line); }
.plain { fill: var(--plain); background: var(--plain); } i.good, .bar.good { fill: var(--good); background: var(--good); }
i.warning, .bar.warning { fill: var(--warning); background: var(--warning); } i.bad, .bar.bad { fill: var(--bad); background: var(--bad); }
.traces { font-size: .88rem; } .traces td { padding: .25rem .5rem; } .traces code { font-size: .92em; }
footer { color: var(--soft); font-size: .9rem; padding-bottom: 3rem; margin-top: 3rem; }
@media (max-width: 640px) {
  main, header, footer { padding-left: 1rem; padding-right: 1rem; }
  h1 { font-size: 1.55rem; } .columns { grid-template-columns: minmax(0, 1fr); }
  dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: .5rem; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  svg.wide { display: none; } svg.narrow { display: block; }
  table { font-size: .87rem; } th, td { padding: .35rem .3rem; } th, th.number { white-space: normal; } .trace { width: 2.6rem; }
  td:first-child { overflow-wrap: break-word; }
  table.wide-table, table.wide-table tbody, table.wide-table tr, table.wide-table td { display: block; width: auto; }
  table.wide-table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.wide-table tr { border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .6rem; margin-bottom: .6rem; }
  table.wide-table td { border: 0; padding: .15rem 0; text-align: left; display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); white-space: normal; }
  table.wide-table td.blank { display: none; }
  table.wide-table td::before { content: attr(data-name); color: var(--soft); }
  nav ul { columns: 1; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --panel: #f4f4f4; --plain: #3b6fb6; --good: #2b7a4b; --warning: #b26a00; --bad: #b3261e; --link: #000; }
  body { font-size: 10.5pt; } main, header, footer { max-width: none; padding: 0; } nav { display: none; }
  h2, h3, figcaption { break-after: avoid; } tr, figure, .verdict { break-inside: avoid; } thead { display: table-header-group; }
  .scroll { overflow: visible; } a { text-decoration: none; }
  .bar, i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
