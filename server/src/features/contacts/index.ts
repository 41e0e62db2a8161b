export { listErasedContacts } from './rules/list-erased.ts';
export { actOnPeople, ensureContacts, judgeProperties, type RuledAct } from './rules/act-on-people.ts';
export {
  type ChosenContacts,
  chosenContacts,
  mailedContacts,
  type ContactFacts,
  type ContactKey,
  type FactsOfAddress,
  findContactFacts,
  isOnLists,
  listContactFacts,
  listContactsWhoStay,
  listMissingOfAudience,
  recipientsOfContacts,
  withZones,
} from './audience/audience-queries.ts';
export {
  type ContactNews,
  contactsCreated,
  contactsErased,
  contactsJoinedList,
  contactsUnsubscribed,
  contactsUpdated,
} from './announcements.ts';
export { changeContact } from './change-contact.ts';
export { EVENT_NAME } from './events/event-limits.ts';
export { recordEvents } from './events/record-events.ts';
export type { Contact } from './contact.ts';
export { findContactByEmail, findContactById } from './get-contact.ts';
export { hasOptedOut, optOutAddress } from './leaving/opt-out-address.ts';
export { listMemberships } from './lists/member-queries.ts';
export { rejoinList, unsubscribeContact } from './unsubscribe-contact.ts';
export { createContactsFeature } from './feature.ts';
export { queueContactPurge } from './purge-contacts.ts';
export { selectSegment } from './segments/contacts-of-segment.ts';
