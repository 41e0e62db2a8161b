import { ARTICLE_STYLE } from './article-style.ts';
import { DARK, LIGHT, type Palette, paletteOf, type Surfaces } from './accent.ts';

/** `auto`: what the reader's system says. */
export type ColourScheme = 'light' | 'dark' | 'auto';

const variables = ({ fill, onFill, text, edge }: Palette): string =>
  `--fill:${fill};--on-fill:${onFill};--link:${text};--edge:${edge}`;

/**
 * The style of every page, in the colour of the newsletter: readable on a phone, in the dark, enlarged fourfold and
 * with the contrast that a machine enforces. Nothing moves. It stands in the page, and its hash in the page's policy.
 */
export const pageStyle = (
  accent: string | null,
  embedded: { theme: ColourScheme; layout: 'full' | 'line' } | null,
  isArticle: boolean,
): string => `
${colours(accent, embedded?.theme ?? 'auto')}
${BASE}${isArticle ? ARTICLE_STYLE : ''}${embedded === null ? '' : EMBEDDED[embedded.layout]}
@media print{body{display:block;padding:0;background:none}main{max-width:none;margin:0;padding:0;border:0;box-shadow:none}
form,nav,footer,.sign-up,a.button{display:none}}
@media (prefers-reduced-motion:no-preference){button,a{transition:opacity .1s}}
button:hover,a:hover{opacity:.85}
@media (forced-colors:active){button{border-color:ButtonText}}
`;

const LIGHT_COLOURS = '--text:#1b1f24;--quiet:#59616b;--line:#868e99;--rule:#e2e5ea;--bad:#b3261e;--bad-ground:#fdf1f0';
const DARK_COLOURS = '--text:#e8eaee;--quiet:#a8b0ba;--line:#7b838e;--rule:#333841;--bad:#ffb4ab;--bad-ground:#3a2422';

/** On paper it is always light. */
function colours(accent: string | null, theme: ColourScheme): string {
  const of = (scheme: string, { ground, card, box }: Surfaces, rest: string, palette: Palette) =>
    `:root{color-scheme:${scheme};--ground:${ground};--card:${card};--box:${box};${rest};${variables(palette)}}`;
  const light = of(theme === 'auto' ? 'light dark' : 'light', LIGHT, LIGHT_COLOURS, paletteOf(accent, LIGHT));
  const dark = of(theme === 'auto' ? 'light dark' : 'dark', DARK, DARK_COLOURS, paletteOf(accent, DARK));
  if (theme === 'light') return light;
  return theme === 'dark' ? dark : `${light}\n@media screen and (prefers-color-scheme:dark){${dark}}`;
}

/** In a frame on another site, whose ground is seen around it. */
const EMBEDDED = {
  full: 'body{padding:.25rem;min-height:0;background:none}main{max-width:none;padding:1.25rem}h1{font-size:1.25rem}.logo{max-height:3rem}',
  line: 'body{padding:.25rem;min-height:0;background:none}main{max-width:none;padding:0;border:0;background:none;box-shadow:none}.line+.quiet{margin-top:.5rem}h1{font-size:1rem}',
} as const;

const BASE = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;padding:1rem;
background:var(--ground);color:var(--text);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Hiragino Sans","Noto Sans CJK JP",sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:30rem;margin:auto;padding:2rem;background:var(--card);border:1px solid var(--rule);
border-radius:.75rem;box-shadow:inset 0 4px 0 var(--fill),0 1px 2px #0000000d,0 8px 24px #0000000a}
main.wide{max-width:42rem;margin-top:4vh}
.brand{margin:0 0 1.25rem;color:var(--quiet);font-weight:600}
.brand,.brand a{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem}
.brand a{min-height:2.75rem;color:inherit;text-decoration:none}
.brand img{width:auto;height:auto;max-width:100%;max-height:2rem}
.logo{display:block;width:auto;height:auto;max-width:100%;max-height:4rem;margin:0 0 1.25rem}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25;text-wrap:balance}
h2,h3{margin:0;font-size:1.0625rem;line-height:1.4}
.more h2{margin-bottom:.5rem}
p{margin:0 0 1.25rem;text-wrap:pretty}
header>h1:last-child{margin-bottom:1.25rem}
.lead{white-space:pre-line}
.quiet{color:var(--quiet);font-size:.875rem;line-height:1.5}
a{color:var(--link);text-underline-offset:.2em;text-decoration-thickness:1px}
a.row{display:inline-block;padding:.625rem 0}
label{display:block;margin-bottom:.375rem;font-weight:600}
.field{margin:0 0 1rem}
input{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;
background:var(--card);color:inherit;font:inherit}
input::placeholder{color:var(--quiet);opacity:1}
input[aria-invalid]{border:2px solid var(--bad)}
input[readonly]{background:var(--box)}
.problem{margin:.375rem 0 0;color:var(--bad);font-size:.875rem;font-weight:600}
.alert{margin:0 0 1.25rem;padding:.75rem 1rem;border-inline-start:4px solid var(--bad);border-radius:.25rem;background:var(--bad-ground)}
.done{margin:0 0 1.25rem;padding:.75rem 1rem;border-inline-start:4px solid var(--edge);border-radius:.25rem;background:var(--box)}
button,a.button{display:block;width:100%;min-height:2.75rem;padding:.5rem 1rem;border:2px solid var(--edge);border-radius:.5rem;
background:var(--fill);color:var(--on-fill);font:inherit;font-weight:600;cursor:pointer}
a.button{text-align:center;text-decoration:none}
.top{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 1.5rem;margin-bottom:1.25rem}
.top .brand{flex:1 1 0;margin:0}
.top .button{width:auto}
button.second{background:var(--card);color:var(--link)}
form+form,.more{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--rule)}
form+p,button+p{margin-top:1.25rem}
.trap{position:absolute;left:-100vw;width:1px;height:1px;overflow:hidden}
main>:last-child,.more>:last-child{margin-bottom:0}
:focus-visible{outline:3px solid var(--edge);outline-offset:2px}
footer{padding:1rem 0 0;color:var(--quiet);font-size:.8125rem;text-align:center}
.past{margin-top:2rem}
.past>h2{margin-bottom:.5rem;font-size:1.25rem}
.search{margin:0 0 1rem}
.search+h2{margin-top:1.5rem}
.issues{margin:0;padding:0;list-style:none}
.issues li{padding:.5rem 0 1rem;border-top:1px solid var(--rule)}
.issues p{margin:0}
.issues a{color:var(--text);text-decoration:none}
.issues a:hover{text-decoration:underline}
.issues .quiet{margin-top:.375rem}
nav{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin:1.25rem 0 0;padding-top:.5rem;border-top:1px solid var(--rule)}
.sign-up{margin-top:2.5rem;padding:1.5rem;background:var(--box);border:1px solid var(--rule);border-radius:.75rem}
.sign-up h2{margin-bottom:.75rem}
.sign-up .quiet:last-child,.sign-up form:last-child{margin-bottom:0}
.line{display:flex;flex-wrap:wrap;gap:.5rem;align-items:flex-start}
.line .field{flex:999 1 11rem;margin:0}
.line button{flex:1 1 auto;width:auto}
.line+p{margin-top:.75rem}
.proof{margin:0 0 1rem}
.line .proof{flex:1 1 100%;margin:0}
.sign-up.open{margin:1.5rem 0 0;padding:0;background:none;border:0}
.seen-by-ear{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:30rem){main{padding:1.5rem}}
@media (max-width:24.25rem){.proof{margin-inline:-.8125rem}}
`;
