import { suppressionRoutes } from './routes.ts';

export { addSuppression, addSuppressions } from './add-suppression.ts';
export { type AddedSuppression, suppressionsAdded } from './announcements.ts';
export { noteSoftBounces } from './note-soft-bounces.ts';
export { suppressedAmong } from './suppressed-among.ts';
export type { NewSuppression, SuppressionReason } from './suppression.ts';

export const feature = { name: 'suppressions', routes: suppressionRoutes } as const;
