export { isEventType, scopeOfEvents, SCOPES_OF_EVENTS } from './catalogue.ts';
export { deliveryBacklogSeconds } from './deliveries/delivery-backlog.ts';
export { purgeDeliveries } from './deliveries/purge-deliveries.ts';
export { deliveriesOfEvents } from './queries/deliveries-of-events.ts';
export type { EmailEvents, EmailEventSpan, EventKey } from './events/email-events.ts';
export type { EmailEventRow } from './events/envelope.ts';
export { eraseSubscriberEvents, eraseSuppressionEvents, forgetBodies } from './erasing/queries.ts';
export { createWebhooksFeature } from './feature.ts';
export {
  type ForwardedEvent,
  describeForward,
  forwardSecret,
  type ForwardHealth,
  headOfForward,
  publishForward,
  redeliverForward,
  setForward,
  testForward,
} from './forwarding/forward.ts';
export { findForwardState, type ForwardState } from './forwarding/queries.ts';
export { stopDeliveries } from './deliveries/worker/stop-deliveries.ts';
export { eventName } from './events/event-name.ts';
export { toldData } from './events/told-data.ts';
export { publishWebhook, publishWebhooks } from './events/publish-webhook.ts';
export { derivedSecret, maskedSecret } from './endpoint-secret.ts';
export { standardHeaders } from './signature.ts';
export { isWithinKey, maySeeSecret } from './webhook.ts';
