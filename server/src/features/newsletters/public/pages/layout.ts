import { type Html, html, trusted } from '#platform/html/html.ts';
import { pageHeaders, type PageRights } from '#platform/http/page.ts';
import { Answer } from '#platform/http/route.ts';
import type { AnyPageContext, PageNewsletter } from './page-context.ts';
import { pageStyle } from './style.ts';

interface Shown {
  /** Of the browser's tab, and the heading unless there is another. */
  title: string;
  content: Html;
  status?: number;
  /** The page that a newsletter is known by: its name is the heading, its logo large. */
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
export function show(context: AnyPageContext, shown: Shown): Answer {
  const { newsletter, locale, embedded } = context;
  const style = pageStyle(newsletter?.accentColor ?? null, embedded);
  const logo = logoOf(newsletter);
  const isFront = shown.isFront === true;
  const name = newsletter?.name ?? 'Posthorn';
  const page = html`<!doctype html>
<html lang="${locale.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isFront ? name : `${shown.title} · ${name}`}</title>
${shown.head}<style>${trusted(style)}</style>
</head>
<body>
<main${trusted(widthOf(shown))}>
${isFront ? front(newsletter, logo, shown.title) : headed(newsletter, logo, shown.title)}
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
      'content-language': locale.language,
      ...shown.headers,
    },
  });
}

const widthOf = ({ isWide, isReader }: Shown): string => {
  if (isReader === true) return ' class="reader"';
  return isWide === true ? ' class="wide"' : '';
};

/** Only over https: the one reading the page asked for nothing that others on the way may see. */
function logoOf(newsletter: PageNewsletter | null): string | null {
  const given = newsletter?.logoUrl ?? null;
  if (given === null || !URL.canParse(given)) return null;
  const url = new URL(given);
  // An origin is put into the policy, so it may hold nothing that a policy reads as a separator.
  return /^https:\/\/[a-z0-9.:[\]-]+$/.test(url.origin) ? url.href : null;
}

/** Beside the name it says nothing more to those who cannot see it. */
const image = (logo: string | null, className: string): Html | null =>
  logo === null ? null : html`<img${trusted(className)} src="${logo}" alt="" referrerpolicy="no-referrer">`;

const front = (newsletter: PageNewsletter | null, logo: string | null, title: string): Html =>
  html`${image(logo, ' class="logo"')}<h1>${isolated(title)}</h1>
${newsletter?.description ? html`<p class="lead">${isolated(newsletter.description)}</p>` : null}`;

const headed = (newsletter: PageNewsletter | null, logo: string | null, title: string): Html =>
  html`${newsletter === null ? null : html`<p class="brand">${image(logo, '')}${isolated(newsletter.name)}</p>\n`}<h1>${title}</h1>`;

/** What somebody typed: letters that turn the direction of writing around turn nothing but this. */
export const isolated = (text: string): Html => html`<bdi>${text}</bdi>`;
