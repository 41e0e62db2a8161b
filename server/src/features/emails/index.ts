export { createEmailsFeature } from './feature.ts';
