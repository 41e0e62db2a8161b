import { type Html, trusted } from '../html/html.ts';
import { describing } from './share-head.ts';

/** An article, for programs that search. Addresses are whole. */
export interface ArticleData {
  title: string;
  description: string | null;
  address: string;
  /** BCP 47. */
  language: string;
  publishedAt: Date;
  /** A picture of the article. Left out unless it is https, as the mark is. */
  image: string | null;
  publisher: { name: string; address: string; logo: string | null };
}

/** More is cut by search engines. */
const HEADLINE_CHARS_MAX = 110;

/** An article of schema.org as JSON-LD, for the head. It is data: a browser runs nothing of it. */
export function articleData(article: ArticleData): Html {
  const { title, description, address, language, publishedAt, publisher } = article;
  const organization = { '@type': 'Organization', name: publisher.name, url: publisher.address };
  const logo = secure(publisher.logo);
  const image = secure(article.image);
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: Array.from(title).slice(0, HEADLINE_CHARS_MAX).join(''),
    description: describing(description) || undefined,
    url: address,
    mainEntityOfPage: address,
    inLanguage: language,
    datePublished: publishedAt.toISOString(),
    isAccessibleForFree: true,
    image: image === null ? undefined : [image],
    author: organization,
    publisher: logo === null ? organization : { ...organization, logo: { '@type': 'ImageObject', url: logo } },
  };
  // Nothing in it may end the element, or begin a comment in it: JSON has another way to write these signs.
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return trusted(`<script type="application/ld+json">${json}</script>\n`);
}

const secure = (address: string | null): string | null => {
  const url = address === null ? null : URL.parse(address);
  return url?.protocol === 'https:' ? url.href : null;
};
