import type { Definition } from '../automation.ts';
import { type Facts, type KnownContact, listOf } from '../running/facts.ts';
import type { Effect } from '../running/interpret.ts';

/** The facts of a person after a step that changes contacts, for the later steps of a simulation. */
export function factsAfter(
  facts: Facts,
  { type, config }: Effect & { is: 'change' },
  definition: Pick<Definition, 'trigger'>,
): Facts {
  switch (type) {
    case 'update_contact': {
      const contact = facts.contact ?? newContact(facts.email);
      const merged = Object.entries({ ...contact.properties, ...config.properties });
      const properties = Object.fromEntries(merged.filter(([, value]) => value !== null));
      return { ...facts, contact: { ...contact, properties } };
    }
    case 'add_to_list':
      return { ...facts, contact: facts.contact ?? newContact(facts.email) };
    case 'remove_from_list':
      return facts;
    case 'unsubscribe': {
      const { subscriber } = facts;
      const isOwn = config.newsletter_id !== undefined && config.newsletter_id === definition.trigger.newsletter_id;
      if (isOwn && subscriber !== null) return { ...facts, subscriber: { ...subscriber, status: 'unsubscribed' } };
      const hasLeft = config.list_id !== undefined && config.list_id === listOf(definition, facts.payload);
      return hasLeft ? { ...facts, hasLeftList: true } : facts;
    }
    default:
      return type satisfies never;
  }
}

const newContact = (email: string): KnownContact => ({
  id: '',
  email,
  first_name: null,
  last_name: null,
  name: null,
  properties: {},
  unsubscribed: false,
});
