import { identityTold } from '../identity-told.ts';
import type { NewProviderEvent } from '../queries/insert-provider-events.ts';
import type { ToldEmail } from '../queries/find-told-emails.ts';
import type { ToldEvent } from './notification.ts';

/** An event and the emails it may be about: one, unless nothing of the sort was sent or a number is no name. */
export interface Told {
  event: ToldEvent;
  emails: readonly ToldEmail[];
}

/**
 * What the events of one notification mean for its email; undefined when an event has no email (yet).
 *
 * Only recipients of the email itself can be meant. A private copy has one, whatever the notification names: a server
 * may report the address that it forwarded to, and a complaint that hides who complained lists everybody of that
 * domain. Of a grouped message, those that are named and were written to.
 */
export function fitEvents(told: readonly Told[]): NewProviderEvent[] | undefined {
  const fitted: NewProviderEvent[] = [];
  const [first] = told;
  const email = first?.emails[0];
  if (email === undefined || told.some(({ emails }) => emails.length !== 1)) return undefined;
  if (email.grouped === null) {
    for (const type of new Set(told.map(({ event }) => event.type))) {
      const ofType = told.filter(({ event }) => event.type === type).map(({ event }) => event);
      // An event that names nobody is about the only one there is, all of it.
      const own =
        ofType.find((event) => event.recipient === '') ??
        ofType.find((event) => identityTold(event.recipient) === email.recipient);
      const event = own ?? ofType[0];
      const isNamed = event === own && event?.recipient !== '';
      if (event !== undefined) fitted.push(fit(isNamed ? event : withoutOthers(event, email), email));
    }
    return fitted;
  }
  const { to, cc, bcc } = email.grouped;
  const recipients = new Set([...to, ...cc, ...bcc].map(({ address }) => address.toLowerCase()));
  for (const { event } of told) {
    const identity = identityTold(event.recipient);
    if (identity !== null && recipients.has(identity)) {
      const isOfOthers = event.isForgeable === true && recipients.size > 1;
      fitted.push(fit(isOfOthers ? asTemporary(event) : event, email, identity));
    }
    // Nobody is named who opened a message with several recipients.
    else if (IS_OF_MESSAGE.has(event.type)) fitted.push(fit(event, email));
  }
  return fitted;
}

const IS_OF_MESSAGE: ReadonlySet<string> = new Set(['send', 'open', 'click']);

const fit = (event: ToldEvent, email: ToldEmail, recipient = email.recipient): NewProviderEvent => ({
  ...event,
  workspaceId: email.workspaceId,
  emailId: email.emailId,
  recipient,
  notBefore: null,
});

/**
 * The recipients of a grouped message share its return path: each could report the others as gone. One report is
 * therefore no proof; five in a row, of five messages, suppress as temporary bounces do.
 */
function asTemporary(event: ToldEvent): ToldEvent {
  const bounce = partOf(event.payload['bounce']);
  if (!('bounceType' in bounce) || bounce.bounceType !== 'Permanent') return event;
  return { ...event, payload: { ...event.payload, bounce: { ...bounce, bounceType: 'Transient' } } };
}

/** A complaint that names strangers says nothing about them; a bounce message for people may name nobody at all. */
function withoutOthers(event: ToldEvent, email: ToldEmail): ToldEvent {
  const emailAddress = email.recipient;
  const told: Record<string, unknown> = { ...event.payload };
  if (event.type === 'complaint') {
    told['complaint'] = { ...partOf(told['complaint']), complainedRecipients: [{ emailAddress }] };
  } else if (event.type === 'bounce' && event.recipient === '') {
    const bounce = partOf(told['bounce']);
    told['bounce'] = { ...bounce, bouncedRecipients: [{ ...firstIn(bounce, 'bouncedRecipients'), emailAddress }] };
  } else if (event.type === 'delivery_delay' && event.recipient === '') {
    const delay = partOf(told['deliveryDelay']);
    told['deliveryDelay'] = { ...delay, delayedRecipients: [{ ...firstIn(delay, 'delayedRecipients'), emailAddress }] };
  }
  return { ...event, payload: told };
}

function firstIn(part: object, name: string): object {
  const listed: unknown = Reflect.get(part, name);
  return partOf(Array.isArray(listed) ? listed[0] : undefined);
}

const partOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
