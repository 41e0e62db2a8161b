/** For tests of features below the outbox, which must not import it. */
export { emailRecords as emailEvents } from '../../src/features/outbox/index.ts';
