/** For tests of features, which must not import a provider. */
export { deleteCaptured } from '../../src/providers/capture/queries.ts';
