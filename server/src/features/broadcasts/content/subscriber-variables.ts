import type { Reader, ReaderLinks } from '#features/compositions';
import { contactVariables, KNOWN_PATHS, OF_CONTACT } from './contact-variables.ts';

/** The roots of variables that come from a subscriber. */
export const OF_SUBSCRIBER: readonly string[] = [...OF_CONTACT, 'subscriber'];

export const PATHS_OF_SUBSCRIBER: readonly string[] = [
  ...KNOWN_PATHS,
  'subscriber.name',
  'subscriber.email',
  'subscriber.metadata',
  'newsletter.name',
];

/**
 * The variables of a subscriber who gets a broadcast: those of its contacts, with the metadata as properties, and those
 * of the issues of the newsletter. A subscriber has one name, so there is no first and no last.
 */
export function subscriberVariables(
  { name, email, metadata }: Reader,
  links: ReaderLinks,
  of: { name: string; shared: Readonly<Record<string, unknown>>; newsletterName: string },
): Record<string, unknown> {
  const contact = { email, name, firstName: null, lastName: null, properties: metadata };
  return {
    ...contactVariables(contact, links, of),
    subscriber: { name, email, metadata },
    newsletter: { name: of.newsletterName },
  };
}
