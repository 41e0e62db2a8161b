import type { AutomationTrigger } from '../../api/generated/types.gen.ts';

interface TriggerKind {
  type: string;
  label: string;
  /** It can be limited to one newsletter. */
  ofNewsletter?: true;
  /** It can be limited to one list of contacts. */
  ofList?: true;
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
  { type: 'contact_created', label: 'A contact is added' },
  { type: 'contact_updated', label: 'A contact changes' },
  { type: 'list_joined', label: 'A contact is put on a list', ofList: true },
  { type: 'inbound_received', label: 'Mail from them arrives' },
  { type: OWN_EVENT, label: 'An event of yours' },
  { type: 'api', label: 'Only a call of the API', startsOnly: true },
];

/** `event:order.paid` is of the kind `event`. */
export const kindOfTrigger = (type: string): string => (type.startsWith('event:') ? OWN_EVENT : type);

export const eventName = (type: string): string => (type.startsWith('event:') ? type.slice('event:'.length) : '');

const kindNamed = (type: string): TriggerKind | undefined => TRIGGERS.find((one) => one.type === kindOfTrigger(type));

export const isOfNewsletter = (type: string): boolean => kindNamed(type)?.ofNewsletter === true;
export const isOfList = (type: string): boolean => kindNamed(type)?.ofList === true;

/** An event in words: “the event order.paid”, “An email is opened”. */
export function eventWords(type: string): string {
  if (type.startsWith('event:')) return `Your event ${eventName(type) || '…'}`;
  return TRIGGERS.find((one) => one.type === type)?.label ?? type;
}

/** A trigger in words, with its newsletter or list where that has a name. */
export function triggerWords(
  { type, newsletter_id: newsletter, list_id: list, filter }: AutomationTrigger,
  nameOf: (id: string) => string | undefined = () => undefined,
): string {
  const limit = newsletter ? (nameOf(newsletter) ?? 'one newsletter') : list && (nameOf(list) ?? 'one list');
  const conditions = filter?.length ?? 0;
  return [
    eventWords(type),
    limit ? `: ${limit}` : '',
    conditions === 0 ? '' : `, with ${conditions} ${conditions === 1 ? 'condition' : 'conditions'}`,
  ].join('');
}
