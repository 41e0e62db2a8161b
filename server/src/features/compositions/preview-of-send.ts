import { bulkSends } from '#features/outbox';
import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { createLinkMatcher, numberLinks } from '#mail/tracking/link-list.ts';
import type { Ctx } from '#platform/http/context.ts';

/**
 * The preview of mail that may have been sent: the version that its content has now (null: it was not sent), and with
 * `withNumbers` each link with the number under which its clicks are counted.
 */
export async function previewOfSend(
  { db, settings }: Pick<Ctx, 'db' | 'settings'>,
  { workspaceId, sendId }: { workspaceId: string; sendId: string | null },
  preview: RenderedMail,
  withNumbers: boolean,
): Promise<RenderedMail & { content_version: number | null }> {
  if (sendId === null) return { ...preview, content_version: null };
  const shown = { ...preview, content_version: await bulkSends.contentVersion(db, { workspaceId, sendId }) };
  const found = withNumbers ? await bulkSends.linksOf(db, { workspaceId, sendId }) : undefined;
  if (found === undefined) return shown;
  const placeOf = createLinkMatcher(found.links.map(({ url }) => url));
  const rules = { baseUrl: settings.publicUrl, ownUrls: [settings.dashboardUrl] };
  return { ...shown, html: numberLinks(preview.html, placeOf, rules) };
}
