export { createContactsFeature } from './feature.ts';
export { queueContactPurge } from './purge-contacts.ts';
