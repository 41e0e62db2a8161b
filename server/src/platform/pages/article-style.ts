/**
 * The style of a text that is read: 18 px, about 70 letters a line, on the plain ground. The html in `.written` is
 * somebody else's and has no styles of its own (`platform/html/article.ts`): every element has one here.
 */
export const ARTICLE_STYLE = `
body.reading{background:var(--card)}
main.article{max-width:42rem;margin:0 auto;padding:2rem 1.5rem 3rem;background:none;border:0;border-radius:0;box-shadow:none}
main.article h1{margin-bottom:.5rem;font-size:clamp(1.75rem,5vw,2.5rem);line-height:1.15;letter-spacing:-.015em}
.article .standfirst{margin:0 0 .75rem;color:var(--quiet);font-size:1.25rem;line-height:1.4}
.article .dated{margin:0 0 2rem;padding-bottom:1.5rem;border-bottom:1px solid var(--rule)}
.written{font-size:1.125rem;line-height:1.65;overflow-wrap:anywhere}
.written>:first-child{margin-top:0}
.article nav{padding-top:1rem}
.between{flex:1 1 100%;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:1rem}
.between a{display:block;padding:.75rem 1rem;border:1px solid var(--rule);border-radius:.5rem;text-decoration:none}
.between span{display:block}
.between bdi{display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:3;font-weight:600}
.written p,.written ul,.written ol,.written dl,.written blockquote,.written pre,.written figure,.written table{margin:0 0 1.25em}
.written h2,.written h3,.written h4,.written h5,.written h6{margin:1.75em 0 .5em;font-size:1.125rem;line-height:1.3;text-wrap:balance}
.written h2{font-size:1.625rem;letter-spacing:-.01em}
.written h3{font-size:1.375rem}
.written ul,.written ol{padding-inline:1.5em 0}
.written li{text-wrap:pretty}
.written li{margin:.25em 0}
.written dt{font-weight:600}
.written dd{margin:0 0 .5em;margin-inline-start:1.5em}
.written sup,.written sub{font-size:.75em;line-height:0}
.written :target{border-radius:.125rem;background:var(--box);box-shadow:0 0 0 .375em var(--box)}
.written img{max-width:100%;height:auto;border-radius:.25rem;vertical-align:middle}
.written figcaption,.written caption{margin-top:.5em;color:var(--quiet);font-size:.875rem;text-align:start}
.written blockquote{margin-inline:0;padding-inline-start:1.25em;border-inline-start:3px solid var(--edge);color:var(--quiet)}
.written figure{margin-inline:0}
.written div:has(>img,>a>img){margin-bottom:1.25em}
.written img[data-wide]{width:100%}
:is(.written blockquote,.written li,.written td,.written th,.written dd,.written figure)>:first-child{margin-top:0}
:is(.written blockquote,.written li,.written td,.written th,.written dd,.written figure)>:last-child{margin-bottom:0}
.written pre,.written code,.written kbd,.written samp{font:.9em/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.written code,.written kbd{padding:.1em .3em;background:var(--box);border:1px solid var(--rule);border-radius:.25rem}
.written pre{padding:1em;background:var(--box);border:1px solid var(--rule);border-radius:.5rem;white-space:pre-wrap}
.written pre code{padding:0;background:none;border:0}
.written mark{background:#fde68a;color:#1b1f24}
.written a[data-button]{margin:.25rem 0;padding:.5rem 1.25rem;border:2px solid var(--edge);border-radius:.5rem;background:var(--fill);color:var(--on-fill);display:inline-block;font-size:1rem;font-weight:600;line-height:1.5;text-decoration:none}
.written details{margin:0 0 1.25em;border:1px solid var(--rule);border-radius:.5rem;padding:0 1em}
.written summary{margin:0 -1em;padding:.5em 1em;min-height:2.75rem;font-weight:600;cursor:pointer}
.written details>:last-child:not(summary){margin-bottom:1em}
.written hr{margin:2em 0;border:0;border-top:1px solid var(--rule)}
.written table{display:block;max-width:100%;overflow-x:auto;border-collapse:collapse;font-size:1rem;line-height:1.5;font-variant-numeric:tabular-nums;overflow-wrap:normal}
.written td,.written th{padding:.4em .6em;min-width:3em;border:1px solid var(--rule);vertical-align:top}
.written th{background:var(--box);text-align:start}
.written table[role=presentation]{display:table;width:100%;margin:0;font:inherit;overflow-wrap:anywhere}
.written table[role=presentation]>*>tr>td{padding:0 0 1.25em;min-width:0;border:0}
.written table[role=presentation]>*>tr>td:only-child:empty{padding:0}
@media (max-width:40rem){main.article{padding:1rem .25rem 2rem}
.written table[role=presentation]>*>tr>td{display:block;width:auto}
.written table[role=presentation]>*>tr>td:empty{display:none}}
@media print{main.article{max-width:none;margin:0;padding:0}h1,h2,h3{break-after:avoid}.written table{overflow:visible}.written a,.written a[data-button]{background:none;color:inherit}.written img,.written pre,.written table,.written blockquote{break-inside:avoid}}
@media print{.written details::details-content{content-visibility:visible}}
`;
