export {
  type ChosenContacts,
  chosenContacts,
  type ContactFacts,
  type ContactKey,
  findContactFacts,
  listContactsWhoStay,
  listMissingOfAudience,
  recipientsOfContacts,
} from './audience/audience-queries.ts';
export { createContactsFeature } from './feature.ts';
export { queueContactPurge } from './purge-contacts.ts';
