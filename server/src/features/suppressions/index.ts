export { addSuppression, addSuppressions } from './add-suppression.ts';
export { suppressedAmong } from './suppressed-among.ts';
export type { NewSuppression, SuppressionReason } from './suppression.ts';
