import type { MergeTracking } from '#mail/merge/compile-merge.ts';
import type { Piece } from '#mail/message/open-body.ts';
import {
  fillTrackedHtml,
  prepareTrackedHtml,
  type Tracked,
  type TrackedHtml,
  trackedPieces,
} from '#mail/tracking/tracked-html.ts';
import { Trail, type TrackingUrls } from '#mail/tracking/tracking-urls.ts';
import type { ContentRow } from './queries/load-contents.ts';

/** Where tracked links lead, and what they are signed with. */
export interface Tracking extends TrackingUrls {
  /** Further hosts of ours: links to their unsubscribe and confirmation pages are never tracked. */
  ownUrls: readonly string[];
}

/** The tracking of one content, whose opens or clicks are tracked. */
export interface ContentTracking {
  /** The html of all recipients, with gaps for what is each one's own. */
  piecesOf(html: string): Piece<Tracked>[];
  /** The html of one recipient. */
  fill(html: string, emailId: string): string;
  trailOf(emailId: string): Trail;
  merge: MergeTracking;
}

/** null: nothing of it is tracked. */
export function contentTracking(row: ContentRow, tracking: Tracking | null): ContentTracking | null {
  if (tracking === null || !(row.trackOpens || row.trackClicks)) return null;
  const { baseUrl, ownUrls } = tracking;
  const content = { workspaceId: row.workspaceId, contentId: row.id };
  const rules = { opens: row.trackOpens, clicks: row.trackClicks, baseUrl, ownUrls };
  const track = (html: string): TrackedHtml => prepareTrackedHtml(html, rules);
  return {
    piecesOf: (html) => trackedPieces(track(html), content, tracking),
    fill: (html, emailId) => fillTrackedHtml(track(html), { ...content, emailId }, tracking),
    merge: { rules, urls: tracking, content },
    trailOf: (emailId) => new Trail({ ...content, emailId }, tracking.key),
  };
}
