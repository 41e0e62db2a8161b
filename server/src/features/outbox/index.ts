export { acceptSend } from './accept-send.ts';
export type { AcceptedAttachment, AcceptedContent, AcceptedSend, SendReceipt } from './accepted-send.ts';
export { createBatch } from './batches.ts';
export { cancelSend } from './cancel-send.ts';
export { EMAIL_MOVES, EMAIL_STATUSES, type EmailStatus, shownStatus } from './email-status.ts';
export type { Providers } from './hand-off.ts';
export { LANES, type Lane } from './lane.ts';
export { type OutboxServicesOptions, outboxServices } from './outbox-services.ts';
export { createPurger, purgeWorkspace } from './purge-workspace.ts';
export { announceQueued, createQueueSignal } from './queue-signal.ts';

export {
  estimateCompletion,
  queueHealth,
  type QueueStatus,
  queueStatus,
  type SendPosition,
  sendPosition,
} from './queue-status.ts';
export { sendUnconfirmedAgain, treatUnconfirmedAsSent } from './settle-unconfirmed.ts';
export { createHeartbeat, listWorkers } from './worker-heartbeat.ts';

export const feature = { name: 'outbox', routes: [] } as const;
