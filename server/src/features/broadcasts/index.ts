export { contactLeavingUrl } from './content/contact-link.ts';
export { createBroadcastsFeature } from './feature.ts';
