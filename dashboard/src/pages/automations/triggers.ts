import type { AutomationTrigger } from '../../api/generated/types.gen.ts';

interface TriggerKind {
  type: string;
  label: string;
  /** It can be limited to one newsletter. */
  ofNewsletter?: true;
  /** It starts a run, and cannot end one or be awaited. */
  startsOnly?: true;
}

/** An event of one's own is `event:<name>`. */
export const OWN_EVENT = 'event';

/** The events that automations hear, in words. */
export const TRIGGERS: readonly TriggerKind[] = [
  { type: 'newsletter_subscribed', label: 'Somebody signs up', ofNewsletter: true },
  { type: 'newsletter_confirmed', label: 'Somebody becomes an active subscriber', ofNewsletter: true },
  { type: 'newsletter_unsubscribed', label: 'Somebody unsubscribes', ofNewsletter: true },
  { type: 'issue_sent', label: 'An issue was sent to them', ofNewsletter: true },
  { type: 'email_delivered', label: 'An email is delivered' },
  { type: 'email_opened', label: 'An email is opened' },
  { type: 'email_clicked', label: 'A link is clicked' },
  { type: 'email_bounced', label: 'An email bounces' },
  { type: 'email_complained', label: 'Somebody complains of spam' },
  { type: 'inbound_received', label: 'Mail from them arrives' },
  { type: OWN_EVENT, label: 'An event of yours' },
  { type: 'api', label: 'Only a call of the API', startsOnly: true },
];

/** `event:order.paid` is of the kind `event`. */
export const kindOfTrigger = (type: string): string => (type.startsWith('event:') ? OWN_EVENT : type);

export const eventName = (type: string): string => (type.startsWith('event:') ? type.slice('event:'.length) : '');

export const isOfNewsletter = (type: string): boolean =>
  TRIGGERS.find((one) => one.type === kindOfTrigger(type))?.ofNewsletter === true;

/** An event in words: “the event order.paid”, “An email is opened”. */
export function eventWords(type: string): string {
  if (type.startsWith('event:')) return `Your event ${eventName(type) || '…'}`;
  return TRIGGERS.find((one) => one.type === type)?.label ?? type;
}

/** A trigger in words, with its newsletter where that has a name. */
export function triggerWords(
  { type, newsletter_id: id, filter }: AutomationTrigger,
  nameOf: (id: string) => string | undefined = () => undefined,
): string {
  const newsletter = id === null || id === undefined ? undefined : (nameOf(id) ?? 'one newsletter');
  const conditions = filter?.length ?? 0;
  return [
    eventWords(type),
    newsletter === undefined ? '' : `: ${newsletter}`,
    conditions === 0 ? '' : `, with ${conditions} ${conditions === 1 ? 'condition' : 'conditions'}`,
  ].join('');
}
