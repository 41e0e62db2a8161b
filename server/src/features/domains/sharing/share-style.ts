/** Beside the style of every page: records in a list, readable on a phone. */
export const SHARE_STYLE = `main.wide{max-width:48rem}
h2.list{margin:2rem 0 0;font-size:1.25rem}
.steps{margin:1.5rem 0 0;padding:1.25rem 1.5rem;background:var(--box);border:1px solid var(--rule);border-radius:.75rem}
.steps ol{margin:.5rem 0 0;padding-inline-start:1.25rem}
.steps li{margin:.25rem 0}
.record{padding:1.25rem 0;border-top:1px solid var(--rule);position:relative}
h2.list+.record{margin-top:.75rem}
.record h3{padding-inline-end:9rem}
.record h3 .quiet{font-weight:400}
.state{position:absolute;top:1.25rem;inset-inline-end:0;margin:0;padding:.125rem .625rem;border:1px solid var(--line);border-radius:1rem;font-size:.8125rem;font-weight:600}
.state.good{border-color:var(--edge);color:var(--link)}
.state.bad{border-color:var(--bad);color:var(--bad)}
dl{display:grid;grid-template-columns:7rem 1fr;gap:.5rem 1rem;margin:.75rem 0 0}
dt{color:var(--quiet);font-size:.875rem;line-height:1.8}
dd{margin:0;min-width:0;display:flex;align-items:flex-start;gap:.75rem}
code{flex:1 1 auto;min-width:0;padding:.125rem .375rem;background:var(--box);border-radius:.25rem;font:.875rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
button.copy{flex:none;width:auto;min-width:5.5rem;min-height:2rem;padding:.125rem .75rem;font-size:.875rem}
button.copy[hidden]{display:none}
.record>.quiet{margin:.75rem 0 0}
main>p.quiet:last-child{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--rule)}
@media (max-width:30rem){dl{grid-template-columns:1fr;gap:0 1rem}dt{margin-top:.5rem}.record h3{padding-inline-end:0}
.state{position:static;display:inline-block;margin-top:.375rem}button.copy{min-height:2.75rem}}
`;
