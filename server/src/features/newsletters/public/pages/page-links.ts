import { type LinkPurpose, linkUrl } from '../../link-token.ts';
import type { Embedding } from '#platform/pages/layout.ts';
import type { Newsletter } from '../../newsletter.ts';

interface OfPage {
  newsletter: Pick<Newsletter, 'slug'>;
  basePath: string;
}

/** Addresses below our own host: absolute paths, so that they hold on every page, whatever its own address. */
export const pageLinks = ({ newsletter, basePath }: OfPage) => {
  const page = `${basePath}/n/${newsletter.slug}`;
  const api = `${basePath}/api/n/${newsletter.slug}`;
  return {
    subscribe: page,
    embed: ({ layout, theme }: Embedding) => `${page}/embed?layout=${layout}&theme=${theme}`,
    checkInbox: `${page}/check-inbox`,
    subscribed: `${page}/subscribed`,
    archive: `${page}/archive`,
    rss: `${page}/feed.xml`,
    jsonFeed: `${page}/feed.json`,
    issue: (issueSlug: string) => `${page}/i/${issueSlug}`,
    submitSubscribe: `${api}/subscribe`,
    submitResend: `${api}/resend`,
  };
};

/** The pages behind the link to leave: what a button has done, what became of the visit, and the picture. */
export const leavingResult = (
  of: Pick<OfPage, 'basePath'>,
  result: 'undo' | 'everywhere' | 'seen' | 'outcome',
  token: string,
): string => tokenLink(of, 'nl_unsub', token).replace('?', `/${result}?`);

/** Where a link of a mail leads, and where the buttons behind it post to. */
export const tokenLink = ({ basePath }: Pick<OfPage, 'basePath'>, purpose: LinkPurpose, token: string): string =>
  linkUrl(basePath, purpose, encodeURIComponent(token));
