import { refuseBrokenLiquid } from '#features/compositions';
import { AddressError, parseMailbox } from '#mail/addresses/addresses.ts';
import { invalid } from '#platform/errors/app-error.ts';
import { readAudience, type AudienceGiven } from '../audience/audience.ts';
import type { Broadcast } from '../broadcast.ts';

export const LIMITS = {
  nameChars: 200,
  subjectChars: 998,
  preheaderChars: 500,
  replyTo: 10,
  tags: 20,
  /** Of each body, in UTF-8. */
  bodyBytes: 2 * 1_048_576,
  /** As JSON. */
  variablesBytes: 64 * 1_024,
  /** Raw JSON: two bodies, with room for their escapes. */
  requestBytes: 8 * 1_048_576,
} as const;

/** As it comes: the types have been checked. */
export interface BroadcastInput {
  name?: string | undefined;
  from?: string | null | undefined;
  reply_to?: string | string[] | null | undefined;
  subject?: string | null | undefined;
  preheader?: string | null | undefined;
  html?: string | null | undefined;
  text?: string | null | undefined;
  template_id?: string | null | undefined;
  variables?: Record<string, unknown> | undefined;
  audience?: AudienceGiven | undefined;
  follow_up_of?: string | null | undefined;
  recipient_timezone?: boolean | undefined;
  track_opens?: boolean | null | undefined;
  track_clicks?: boolean | null | undefined;
  tags?: { name: string; value: string }[] | undefined;
}

export interface NewBroadcastInput extends BroadcastInput {
  scheduled_for?: string | null | undefined;
  timezone?: string | null | undefined;
}

/** The part of a broadcast that its author writes. */
export type BroadcastContent = Pick<
  Broadcast,
  | 'name'
  | 'sender'
  | 'replyTo'
  | 'subject'
  | 'preheader'
  | 'html'
  | 'text'
  | 'templateId'
  | 'variables'
  | 'audience'
  | 'followUpOf'
  | 'recipientTimezone'
  | 'trackOpens'
  | 'trackClicks'
  | 'tags'
>;

// C0 (tab and line breaks too), DEL, C1, and the two Unicode line ends: none may stand in one line of a header.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Reads the fields that are given; an empty text counts as none. 400 for what cannot be read, 422 for bad Liquid. */
export async function readContent(input: BroadcastInput): Promise<Partial<BroadcastContent>> {
  const { name, subject, preheader, html, text } = input;
  if (name !== undefined) readLine('name', name);
  if (name?.trim() === '') throw invalid('name', 'name must not be empty');
  for (const [param, line] of Object.entries({ subject, preheader })) {
    if (typeof line === 'string') readLine(param, line);
  }
  checkBytes('html', html);
  checkBytes('text', text);
  await refuseBrokenLiquid([
    { param: 'subject', source: subject ?? '', kind: 'subject' },
    { param: 'preheader', source: preheader ?? '', kind: 'subject' },
    { param: 'html', source: html ?? '', kind: 'html' },
    { param: 'text', source: text ?? '', kind: 'text' },
  ]);
  const read = {
    name: name?.trim(),
    sender: input.from === undefined ? undefined : readMailbox('from', input.from),
    replyTo: input.reply_to === undefined ? undefined : readReplyTo(input.reply_to),
    subject: orNull(subject),
    preheader: orNull(preheader),
    html: orNull(html),
    text: orNull(text),
    templateId: input.template_id?.toLowerCase() ?? input.template_id,
    variables: readVariables(input.variables),
    audience: input.audience === undefined ? undefined : readAudience(input.audience),
    followUpOf: input.follow_up_of?.toLowerCase() ?? input.follow_up_of,
    recipientTimezone: input.recipient_timezone,
    trackOpens: input.track_opens,
    trackClicks: input.track_clicks,
    tags: input.tags?.map((tag) => ({ name: tag.name, value: tag.value })),
  };
  return withoutUndefined(read);
}

const withoutUndefined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  // Fields that were left out stay out.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

const orNull = (text: string | null | undefined): string | null | undefined => (text === '' ? null : text);

function readLine(param: string, text: string): void {
  if (CONTROL.test(text)) throw invalid(param, `${param} must not have control characters or line breaks`);
}

function checkBytes(param: string, text: string | null | undefined): void {
  if (typeof text === 'string' && Buffer.byteLength(text, 'utf8') > LIMITS.bodyBytes) {
    throw invalid(param, `${param} must be at most 2 MB`);
  }
}

export function readMailbox(param: string, text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  try {
    parseMailbox(text);
    return text.trim();
  } catch (error) {
    if (error instanceof AddressError) throw invalid(param, `${param} must be an email address. ${error.reason}`);
    throw error;
  }
}

export function readReplyTo(given: string | string[] | null): string[] {
  const all = given === null ? [] : typeof given === 'string' ? [given] : given;
  return all.flatMap(
    (text, index) => readMailbox(typeof given === 'string' ? 'reply_to' : `reply_to[${index}]`, text) ?? [],
  );
}

export function readVariables(variables: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (variables !== undefined && Buffer.byteLength(JSON.stringify(variables)) > LIMITS.variablesBytes) {
    throw invalid('variables', 'variables must be at most 64 KB of JSON');
  }
  return variables;
}
