export { createInboundFeature, type InboundFeature } from './feature.ts';
export { eraseInbound } from './erase-inbound.ts';
