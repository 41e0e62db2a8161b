import type { Attachment } from '#mail/attachment-rules.ts';
import { htmlToText } from '#mail/html-to-text.ts';
import { type MessageContent, type PreparedContent, prepareContent, prepareOpenContent } from '#mail/message.ts';
import { mailboxOf } from '#mail/stored-mailbox.ts';
import { prepareTrackedHtml, type TrackedHtml, trackedPieces } from '#mail/tracking/tracked-html.ts';
import type { TrackingUrls } from '#mail/tracking/tracking-urls.ts';
import { LANES } from '../lane.ts';
import { preparePersonal } from './prepare-personal.ts';
import type { PreparedSend } from './prepared-send.ts';
import type { ContentRow } from './queries/load-contents.ts';

/** Where tracked links lead, and what they are signed with. */
export interface Tracking extends TrackingUrls {
  /** Further hosts of ours: links to their unsubscribe and confirmation pages are never tracked. */
  ownUrls: readonly string[];
}

export async function prepareSend(
  row: ContentRow,
  bodies: { html: string | null; text: string | null },
  attachments: readonly Attachment[],
  tracking: Tracking | null,
): Promise<PreparedSend> {
  const from = mailboxOf({ address: row.fromAddress, name: row.fromName });
  const content = {
    from,
    replyTo: row.replyTo.map(mailboxOf),
    subject: row.subject,
    html: bodies.html,
    text: bodies.text,
    headers: row.headers,
    inReplyTo: row.inReplyTo,
    attachments,
  };
  const track = (html: string): TrackedHtml | null => trackedOf(row, html, tracking);
  const contentFor =
    row.personal === null
      ? contentMaker(content, track, tracking)
      : await preparePersonal(content, row.personal, track, tracking);
  return { contentFor, from, fromDomain: row.fromDomain };
}

/** null: nothing of it is tracked. */
function trackedOf(row: ContentRow, html: string, tracking: Tracking | null): TrackedHtml | null {
  if (tracking === null || !(row.trackOpens || row.trackClicks)) return null;
  const tracked = prepareTrackedHtml(html, {
    opens: row.trackOpens,
    clicks: row.trackClicks,
    baseUrl: tracking.baseUrl,
    ownUrls: tracking.ownUrls,
  });
  return tracked.isTracked ? tracked : null;
}

function contentMaker(
  content: MessageContent,
  track: (html: string) => TrackedHtml | null,
  tracking: Tracking | null,
): PreparedSend['contentFor'] {
  const { html, subject } = content;
  const tracked = html === null ? null : track(html);
  if (html === null || tracked === null || tracking === null) {
    const prepared = { content: prepareContent(content), subject, headers: [] };
    return () => prepared;
  }
  const text = content.text ?? htmlToText(html);
  const texts = text === '' ? null : [text];
  const open = prepareOpenContent({ ...content, html: trackedPieces(tracked, tracking), text: texts });
  // Nobody may see who reads the mail of the system itself, whatever the workspace has set.
  let plain: PreparedContent | undefined;
  return ({ workspaceId, id, lane }) => {
    if (lane !== LANES.system) return { content: open.fill({ workspaceId, emailId: id }), subject, headers: [] };
    plain ??= prepareContent(content);
    return { content: plain, subject, headers: [] };
  };
}
