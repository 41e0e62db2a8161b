export { peopleErased } from './announcements.ts';
export { type ConsentEntry, recordConsents } from './record-consents.ts';
export { ConsentRecord, consentView, hashOfAddress, type List, type Person } from './consent.ts';
export {
  type ConsentSummary,
  ConsentSummaryRecord,
  consentSummaryView,
  readConsentSummary,
} from './consent-summary.ts';
export { DeletedListRecord, deletedListView } from './deleted-list.ts';
export { forgetDeletedLists, keepConsentsOfList } from './deleted-lists-queries.ts';
export { eraseFromDeletedLists, forgetLapsedLists } from './deleted-lists.ts';
export { listConsentsOfDeleted, listDeletedLists, listKeptOf } from './list-deleted.ts';
export { DeclaredConsent, judgeDeclared, readDeclared } from './declared-consent.ts';
export { createConsentsFeature, type ConsentsFeature } from './feature.ts';
export {
  deletePageOfConsents,
  forgetImported,
  importedConsents,
  listErasedAmong,
  listErasedAnywhere,
  listLeftAmong,
} from './queries.ts';
export { erasePeople } from './erase-people.ts';
export { type Evidence, noEvidence, storableEvidence } from './evidence.ts';
export { eraseTraces } from './erase-traces.ts';
export { evidenceOf } from './evidence-of-visitor.ts';
export { listConsents, newestConsent } from './list-consents.ts';
