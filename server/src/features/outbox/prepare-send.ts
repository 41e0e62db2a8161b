import type { Mailbox } from '#mail/addresses.ts';
import type { Attachment } from '#mail/attachment-rules.ts';
import { type MessageContent, type PreparedContent, prepareContent, prepareOpenContent } from '#mail/message.ts';
import { mailboxOf } from '#mail/stored-mailbox.ts';
import { fillTrackedHtml, prepareTrackedHtml } from '#mail/tracking/tracked-html.ts';
import type { TrackingUrls } from '#mail/tracking/tracking-urls.ts';
import { LANES } from './lane.ts';
import type { ContentRow } from './queries/load-contents.ts';

/** Where tracked links lead, and what they are signed with. */
export interface Tracking extends TrackingUrls {
  /** Further hosts of ours: links to their unsubscribe and confirmation pages are never tracked. */
  ownUrls: readonly string[];
}

/** A send's content, composed once: each recipient only gets headers and a signature, and tracked html, of its own. */
export interface PreparedSend {
  contentFor(email: { workspaceId: string; id: string; lane: number }): PreparedContent;
  from: Mailbox;
  fromDomain: string;
  subject: string;
}

export function prepareSend(
  row: ContentRow,
  bodies: { html: string | null; text: string | null },
  attachments: readonly Attachment[],
  tracking: Tracking | null,
): PreparedSend {
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
  return { contentFor: contentMaker(row, content, tracking), from, fromDomain: row.fromDomain, subject: row.subject };
}

function contentMaker(row: ContentRow, content: MessageContent, tracking: Tracking | null): PreparedSend['contentFor'] {
  const { html } = content;
  if (html !== null && tracking !== null && (row.trackOpens || row.trackClicks)) {
    const tracked = prepareTrackedHtml(html, {
      opens: row.trackOpens,
      clicks: row.trackClicks,
      baseUrl: tracking.baseUrl,
      ownUrls: tracking.ownUrls,
    });
    if (tracked.isTracked) {
      const open = prepareOpenContent({ ...content, html });
      return ({ workspaceId, id, lane }) =>
        open.fill(
          // Nobody may see who reads the mail of the system itself, whatever the workspace has set.
          lane === LANES.system ? html : fillTrackedHtml(tracked, { workspaceId, emailId: id }, tracking),
        );
    }
  }
  const prepared = prepareContent(content);
  return () => prepared;
}
