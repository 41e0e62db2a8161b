import { html } from '../html/html.ts';
import { pageHeaders } from '../http/page.ts';
import { Answer } from '../http/route.ts';

export interface ForeignPage {
  title: string;
  /** BCP 47. */
  language: string;
  /** Html that somebody else wrote. */
  body: string;
  cacheControl: string;
}

/**
 * A document that somebody else wrote, mail for example. The policy makes it a document of no origin, in which nothing
 * runs, posts or opens in our window, whether it is framed or opened by itself.
 */
export function foreignPage({ title, language, body, cacheControl }: ForeignPage): Answer {
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<base target="_blank">
<style>body{margin:1.25rem;font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere;background:#fff;color:#1b1f24}img{max-width:100%;height:auto}</style>
</head>
<body>
`;
  return new Answer(`${document.text}${body}\n</body>\n</html>\n`, {
    headers: {
      ...pageHeaders({
        sandboxed: true,
        framedBy: 'us',
        imagesFrom: ['https:', 'http:', 'data:'],
        cacheControl,
      }),
      'content-language': language,
    },
  });
}
