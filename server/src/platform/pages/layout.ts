import { type Html, html, trusted } from '../html/html.ts';
import { pageHeaders, type PageRights } from '../http/page.ts';
import { Answer } from '../http/route.ts';
import { iconAddress } from './icon.ts';
import { type ColourScheme, pageStyle } from './style.ts';

/** Whose page it is. */
export interface Brand {
  name: string;
  description: string | null;
  /** `#rgb` or `#rrggbb`; null: our own. */
  accentColor: string | null;
  logoUrl: string | null;
}

export interface PageFrame {
  /** null: nobody's in particular. */
  brand: Brand | null;
  /** BCP 47. */
  language: string;
  /** Shown in a frame on another site: small, and any site may frame it. null: a page of its own. */
  embedded: Embedding | null;
}

/** How the page around a frame wants it. */
export interface Embedding {
  theme: ColourScheme;
  /** `line`: a field and a button beside each other, and nothing around them. */
  layout: 'full' | 'line';
}

export interface Shown {
  /** Of the browser's tab, and the heading unless there is another. */
  title: string;
  /** Below the heading of an article, and in the direction in which that is written. */
  standfirst?: Html;
  content: Html;
  status?: number;
  /** A page that the brand is known by: its name is the heading, its logo large. */
  isFront?: boolean;
  /** A front without the description, as a second page of a list is. */
  isShort?: boolean;
  /** A form and nothing else: the heading is for those who listen. */
  isBare?: boolean;
  /** Room for a list. */
  isWide?: boolean;
  /** A text to read: a line of about 70 letters, on the plain ground. */
  isArticle?: boolean;
  /** The page that the name of the brand links to. */
  homeAt?: string;
  /** A link at the end of the line with the name of the brand. */
  corner?: Html;
  /** Into the head. */
  head?: Html;
  /** Beside the style of every page. */
  style?: string;
  /** The one script of the page; it cannot be in a frame. Without scripts the page must still be of use. */
  script?: string;
  rights?: Omit<PageRights, 'style' | 'script'>;
  headers?: Record<string, string>;
}

/**
 * A page as it goes out: HTML without scripts (but for a frame, which tells its height, a script of its own, and a
 * widget that `rights` allow), and the policy that lets it do no more than it needs.
 */
export function showPage({ brand, language, embedded }: PageFrame, shown: Shown): Answer {
  const style = `${pageStyle(brand?.accentColor ?? null, embedded, shown.isArticle === true)}${shown.style ?? ''}`;
  const script = embedded === null ? shown.script : FRAME_SCRIPT;
  const logo = logoOf(brand);
  const scheme = embedded === null || embedded.theme === 'auto' ? 'light dark' : embedded.theme;
  const name = brand?.name ?? 'Posthorn';
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<title>${shown.title === name ? name : `${shown.title} · ${name}`}</title>
<link rel="icon" type="image/svg+xml" href="${iconAddress(brand)}">
${shown.head}<style>${trusted(style)}</style>
</head>
<body${trusted(shown.isArticle === true ? ' class="reading"' : '')}>
<main${trusted(classOf(shown))}>
${headOf(brand, logo, shown)}
${shown.content}
</main>
${embedded === null ? html`<footer>Posthorn</footer>\n` : null}${script === undefined ? null : html`<script>${trusted(script)}</script>\n`}</body>
</html>
`;
  return new Answer(page.text, {
    ...(shown.status === undefined ? {} : { status: shown.status }),
    headers: {
      ...pageHeaders({
        style,
        ...(embedded === null ? {} : { framedBy: 'anyone' }),
        ...(script === undefined ? {} : { script }),
        ...shown.rights,
        imagesFrom: ['data:', ...(logo === null ? [] : [new URL(logo).origin]), ...(shown.rights?.imagesFrom ?? [])],
      }),
      'content-language': language,
      ...shown.headers,
    },
  });
}

/** Tells the page around a frame how high it is: a number, which anybody may know (`embed-script.ts`). */
const FRAME_SCRIPT = `(()=>{const tell=()=>parent.postMessage({posthornHeight:Math.ceil(document.body.getBoundingClientRect().height)},'*');
addEventListener('load',tell);addEventListener('resize',tell);addEventListener('message',e=>{if(e.data==='posthorn-height')tell()})})()`;

const classOf = ({ isWide, isArticle }: Shown): string => {
  if (isArticle === true) return ' class="article"';
  return isWide === true ? ' class="wide"' : '';
};

/** Only over https: the reader asked for nothing that others on the way may see. */
export function logoOf(brand: Pick<Brand, 'logoUrl'> | null): string | null {
  const given = brand?.logoUrl ?? null;
  if (given === null || !URL.canParse(given)) return null;
  const url = new URL(given);
  // An origin is put into the policy, so it may hold nothing that a policy reads as a separator.
  return /^https:\/\/[a-z0-9.:[\]-]+$/.test(url.origin) ? url.href : null;
}

/** Beside the name it says nothing more to those who cannot see it. */
const image = (logo: string | null, className: string): Html | null =>
  logo === null ? null : html`<img${trusted(className)} src="${logo}" alt="" referrerpolicy="no-referrer">`;

function headOf(brand: Brand | null, logo: string | null, shown: Shown): Html {
  if (shown.isBare === true) return html`<h1 class="seen-by-ear">${isolated(shown.title)}</h1>`;
  if (shown.isFront === true && brand !== null) return front(brand, logo, shown);
  const { title, standfirst } = shown;
  const heading =
    shown.isArticle === true
      ? html`<header dir="auto">\n<h1>${title}</h1>\n${standfirst}</header>`
      : html`<h1>${title}</h1>`;
  return html`${markOf(brand, logo, shown)}${heading}`;
}

// `dir="auto"`: what a person typed is aligned as its own language is, and turns nothing around it.
const front = ({ name, description }: Brand, logo: string | null, { isShort }: Shown): Html =>
  html`<header dir="auto">
${image(logo, ' class="logo"')}<h1>${name}</h1>
${description && isShort !== true ? html`<p class="lead">${description}</p>\n` : null}</header>`;

function markOf(brand: Brand | null, logo: string | null, { homeAt, corner }: Shown): Html | null {
  if (brand === null) return null;
  const name = html`${image(logo, '')}${isolated(brand.name)}`;
  const mark = html`<p class="brand">${homeAt === undefined ? name : html`<a href="${homeAt}">${name}</a>`}</p>\n`;
  return corner === undefined ? mark : html`<div class="top">\n${mark}${corner}\n</div>\n`;
}

/** Input that a person typed: letters that turn the direction of writing around turn nothing but this. */
export const isolated = (text: string): Html => html`<bdi>${text}</bdi>`;
