import type { Broadcast, BroadcastAudience } from '../../../api/generated/types.gen.ts';
import type { StoredDocument } from '../../../lib/blocks/document.ts';
import { draftStore, hasTexts } from '../../../lib/drafts/draft-store.ts';

/** The fields of a broadcast that a person writes. */
export interface Draft {
  name: string;
  from: string;
  subject: string;
  preheader: string;
  html: string;
  /** The blocks that the HTML was made from. The server does not keep them: they are made of the HTML again. */
  editor: StoredDocument | null;
  templateId: string | null;
  audience: BroadcastAudience;
  /** Missing in a draft that this browser has kept from before: saving it leaves them as they are. */
  options?: Options;
}

/** The fields that most broadcasts leave as they are. */
export interface Options {
  replyTo: readonly string[];
  tags: readonly { name: string; value: string }[];
  /** null: the setting of the workspace. */
  trackOpens: boolean | null;
  trackClicks: boolean | null;
  variables: Readonly<Record<string, unknown>>;
  followUpOf: string | null;
}

export const draftOf = (broadcast: Broadcast, editor: StoredDocument | null = null): Draft => ({
  name: broadcast.name,
  from: broadcast.from ?? '',
  subject: broadcast.subject ?? '',
  preheader: broadcast.preheader ?? '',
  html: broadcast.html ?? '',
  editor,
  templateId: broadcast.template_id,
  audience: broadcast.audience,
  options: {
    replyTo: broadcast.reply_to,
    tags: broadcast.tags,
    trackOpens: broadcast.track_opens,
    trackClicks: broadcast.track_clicks,
    variables: broadcast.variables,
    followUpOf: broadcast.follow_up_of,
  },
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

/** The body of the PATCH that saves it. An emptied name stays as it was: a broadcast has one. */
export const changeOf = ({ name, from, subject, preheader, html, templateId, audience, options }: Draft) => ({
  ...(name.trim() === '' ? {} : { name }),
  from: orNull(from),
  subject: orNull(subject),
  preheader: orNull(preheader),
  html: orNull(html),
  template_id: templateId,
  audience,
  ...(options === undefined ? {} : changeOfOptions(options)),
});

const changeOfOptions = ({ replyTo, tags, trackOpens, trackClicks, variables, followUpOf }: Options) => ({
  reply_to: [...replyTo],
  tags: [...tags],
  track_opens: trackOpens,
  track_clicks: trackClicks,
  variables: { ...variables },
  follow_up_of: followUpOf,
});

export const isSameDraft = (a: Draft, b: Draft): boolean => JSON.stringify(changeOf(a)) === JSON.stringify(changeOf(b));

const isDraft = (value: object): value is Draft => {
  const { audience } = value as Partial<Draft>;
  return (
    hasTexts(value, ['name', 'from', 'subject', 'preheader', 'html']) &&
    [audience?.list_ids, audience?.contact_ids, audience?.exclude_list_ids].every(Array.isArray)
  );
};

export const broadcastDrafts = draftStore(isDraft);

export const hasAudience = ({ list_ids, segment_id, contact_ids, newsletter_id }: BroadcastAudience): boolean =>
  list_ids.length + contact_ids.length > 0 || segment_id !== null || newsletter_id != null;

/** The parts that it lacks to be sent, as sentences. A template may bring a sender and a subject of its own. */
export function lacksOf({ from, subject, html, templateId, audience }: Draft): string[] {
  const isOwn = templateId === null;
  return [
    isOwn && from.trim() === '' && 'It has no sender yet.',
    isOwn && subject.trim() === '' && 'It has no subject yet.',
    isOwn && html.trim() === '' && 'It has no text yet.',
    !hasAudience(audience) && 'It goes to nobody yet: choose lists, a segment or a newsletter.',
  ].filter((sentence) => sentence !== false);
}
