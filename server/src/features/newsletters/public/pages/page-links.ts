import type { LinkPurpose } from '../links/link-token.ts';
import type { AnyPageContext, PageContext } from './page-context.ts';

/** Addresses below our own host: absolute paths, so that they hold on every page, whatever its own address. */
export const pageLinks = ({ newsletter, basePath }: PageContext) => {
  const page = `${basePath}/n/${newsletter.slug}`;
  const api = `${basePath}/api/n/${newsletter.slug}`;
  return {
    subscribe: page,
    embed: `${page}/embed`,
    archive: `${page}/archive`,
    rss: `${page}/feed.xml`,
    jsonFeed: `${page}/feed.json`,
    issue: (issueSlug: string) => `${page}/i/${issueSlug}`,
    issueContent: (issueSlug: string) => `${page}/i/${issueSlug}/content`,
    submitSubscribe: `${api}/subscribe`,
    submitResend: `${api}/resend`,
  };
};

const WITH_TOKEN: Record<LinkPurpose, string> = {
  nl_confirm: 'confirm',
  nl_unsub: 'unsubscribe',
  nl_prefs: 'preferences',
  nl_data: 'data',
};

/** Where a link of a mail leads, and where the buttons behind it post to. */
export const tokenLink = ({ basePath }: AnyPageContext, purpose: LinkPurpose, token: string): string =>
  `${basePath}/api/n/${WITH_TOKEN[purpose]}?token=${encodeURIComponent(token)}`;
