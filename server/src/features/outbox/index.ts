export { acceptSend } from './accept-send.ts';
export type { AcceptedAttachment, AcceptedContent, AcceptedSend, SendReceipt } from './accepted-send.ts';
export { bulkSendFailed, bulkSendReleased, type PausedSend, sendPaused, sendResumed } from './announcements.ts';
export { createBatch } from './batches.ts';
export {
  cancelBulkSend,
  countsOfSends,
  freezeRecipients,
  type NewBulkSend,
  openBulkSend,
  retryRefused,
  type SendCounts,
} from './bulk/bulk-send.ts';
export { cancelSend } from './cancel-send.ts';
export { EMAIL_STATUSES, type EmailStatus, shownStatus } from './email-status.ts';
export type { Providers } from './hand-off.ts';
export { type OutboxServicesOptions, outboxServices } from './outbox-services.ts';
export { pauseSend, resumeSend } from './pause-send.ts';
export type { LoadRecipients, PersonalContent, PersonalRecipient } from './personal-content.ts';
export { createPurger, purgeWorkspace } from './purge-workspace.ts';
export { createQueueSignal } from './queue-signal.ts';
export { noteProviderRate, pauseForQuota } from './provider-account.ts';
export {
  queueHealth,
  type QueueStatus,
  queueStatus,
  type SendPosition,
  sendPosition,
} from './queue-status.ts';
export { sendUnconfirmedAgain, treatUnconfirmedAsSent } from './settle-unconfirmed.ts';
export { suppressWaiting } from './suppress-waiting.ts';
export { createHeartbeat, listWorkers } from './worker-heartbeat.ts';
