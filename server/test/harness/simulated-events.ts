/** For tests of the capture provider, which must not import a feature. */
export { insertSimulatedEvents } from '../../src/features/feedback/index.ts';
