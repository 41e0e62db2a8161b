export {
  type ChosenContacts,
  chosenContacts,
  type ContactFacts,
  findContactFacts,
  listMissingOfAudience,
} from './audience/audience-queries.ts';
export { createContactsFeature } from './feature.ts';
export { queueContactPurge } from './purge-contacts.ts';
