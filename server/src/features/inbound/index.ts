export { createInboundFeature, type InboundFeature } from './feature.ts';
export { inboundReceived, type InboundNews } from './announcements.ts';
export { eraseInbound } from './erase-inbound.ts';
export { createArrivalService } from './from-ses/arrival-service.ts';
export type { ReceivedObjects } from './from-ses/received-objects.ts';
