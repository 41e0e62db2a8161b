import { type Html, html, trusted } from '../html/html.ts';
import { pageHeaders, type PageRights } from '../http/page.ts';
import { Answer } from '../http/route.ts';
import { pageStyle } from './style.ts';

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
  /** Shown in a frame on another site: small, and any site may frame it. */
  embedded: boolean;
}

export interface Shown {
  /** Of the browser's tab, and the heading unless there is another. */
  title: string;
  content: Html;
  status?: number;
  /** The page that the brand is known by: its name is the heading, its logo large. */
  isFront?: boolean;
  /** Room for a list. */
  isWide?: boolean;
  /** All the room there is, for a frame that is read. */
  isReader?: boolean;
  /** Into the head. */
  head?: Html;
  rights?: Omit<PageRights, 'style'>;
  headers?: Record<string, string>;
}

/** A page as it goes out: HTML without scripts, and the policy that lets it do no more than it needs. */
export function showPage({ brand, language, embedded }: PageFrame, shown: Shown): Answer {
  const style = pageStyle(brand?.accentColor ?? null, embedded);
  const logo = logoOf(brand);
  const isFront = shown.isFront === true;
  const name = brand?.name ?? 'Posthorn';
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isFront ? name : `${shown.title} · ${name}`}</title>
${shown.head}<style>${trusted(style)}</style>
</head>
<body>
<main${trusted(widthOf(shown))}>
${isFront ? front(brand, logo, shown.title) : headed(brand, logo, shown.title)}
${shown.content}
</main>
${embedded ? null : html`<footer>Posthorn</footer>\n`}</body>
</html>
`;
  return new Answer(page.text, {
    ...(shown.status === undefined ? {} : { status: shown.status }),
    headers: {
      ...pageHeaders({
        style,
        ...(logo === null ? {} : { imagesFrom: [new URL(logo).origin] }),
        ...(embedded ? { framedBy: 'anyone' } : {}),
        ...shown.rights,
      }),
      'content-language': language,
      ...shown.headers,
    },
  });
}

const widthOf = ({ isWide, isReader }: Shown): string => {
  if (isReader === true) return ' class="reader"';
  return isWide === true ? ' class="wide"' : '';
};

/** Only over https: the reader of the page asked for nothing that others on the way may see. */
function logoOf(brand: Brand | null): string | null {
  const given = brand?.logoUrl ?? null;
  if (given === null || !URL.canParse(given)) return null;
  const url = new URL(given);
  // An origin is put into the policy, so it may hold nothing that a policy reads as a separator.
  return /^https:\/\/[a-z0-9.:[\]-]+$/.test(url.origin) ? url.href : null;
}

/** Beside the name it says nothing more to those who cannot see it. */
const image = (logo: string | null, className: string): Html | null =>
  logo === null ? null : html`<img${trusted(className)} src="${logo}" alt="" referrerpolicy="no-referrer">`;

const front = (brand: Brand | null, logo: string | null, title: string): Html =>
  html`${image(logo, ' class="logo"')}<h1>${isolated(title)}</h1>
${brand?.description ? html`<p class="lead">${isolated(brand.description)}</p>` : null}`;

const headed = (brand: Brand | null, logo: string | null, title: string): Html =>
  html`${brand === null ? null : html`<p class="brand">${image(logo, '')}${isolated(brand.name)}</p>\n`}<h1>${title}</h1>`;

/** Input that a person typed: letters that turn the direction of writing around turn nothing but this. */
export const isolated = (text: string): Html => html`<bdi>${text}</bdi>`;
