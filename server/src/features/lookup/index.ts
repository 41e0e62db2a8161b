export { lookupFeature } from './feature.ts';
