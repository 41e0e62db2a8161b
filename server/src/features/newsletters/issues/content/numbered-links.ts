import { bulkSends } from '#features/outbox';
import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { createLinkMatcher, numberLinks } from '#mail/tracking/link-list.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { IssueSummary } from '../issue.ts';

/** The preview of a sent issue, each link with the number under which its clicks are counted. */
export async function withNumberedLinks(
  { db, settings }: Pick<Ctx, 'db' | 'settings'>,
  { workspaceId, sendId }: IssueSummary,
  preview: RenderedMail,
): Promise<RenderedMail> {
  const found = sendId === null ? undefined : await bulkSends.linksOf(db, { workspaceId, sendId });
  if (found === undefined) return preview;
  const placeOf = createLinkMatcher(found.links.map(({ url }) => url));
  const rules = { baseUrl: settings.publicUrl, ownUrls: [settings.dashboardUrl] };
  return { ...preview, html: numberLinks(preview.html, placeOf, rules) };
}
