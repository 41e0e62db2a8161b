export { addSuppression, addSuppressions } from './add-suppression.ts';
export { type AddedSuppression, suppressionsAdded } from './announcements.ts';
export { awaitSignUps, keepOutSuppression } from './address-lock-queries.ts';
export { createSuppressionsFeature } from './feature.ts';
export { forgetExpiredService } from './forget-expired.ts';
export { deleteSoftBounces as forgetSoftBounces } from './soft-bounce-queries.ts';
export { noteSoftBounces } from './note-soft-bounces.ts';
export { suppressedAmong } from './suppressed-among.ts';
export type { NewSuppression, SuppressionReason } from './suppression.ts';
