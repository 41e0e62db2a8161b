export { acceptSend, acceptSends } from './accept/accept-send.ts';
export { acceptSendOnce } from './accept/accept-send-once.ts';
export { type AcceptedSend, plainContent, rawContent, type SendReceipt } from './accept/accepted-send.ts';
export {
  bulkSendFailed,
  bulkSendReleased,
  type PausedSend,
  sendPaused,
  sendResumed,
} from './announcements.ts';
export { createBatch } from './accept/batches.ts';
export type { Audience } from './bulk/audience.ts';
export { bulkSends } from './bulk/bulk-sends.ts';
export type { BulkRecipient } from './bulk/reading/recipients.ts';
export type { SendCounts } from './bulk/send-counts.ts';
export { cancelSend } from './pause/cancel-send.ts';
export { emailRecords } from './events/email-records.ts';
export { EMAIL_STATUSES, type EmailStatus, shownStatus } from './email-status.ts';
export { setSending } from './gates/set-sending.ts';
export type { Providers } from './worker/hand-off.ts';
export { outboxServices } from './outbox-services.ts';
export { PAUSE_CODES } from './pause/pause.ts';
export { pauseSend, resumeSend } from './pause/pause-send.ts';
export type { PersonalContent } from './compose/personal-content.ts';
export { purgeWorkspace } from './purge-workspace.ts';
export { originColumns } from './queries/origin-columns.ts';
export { createQueueSignal } from './worker/queue-signal.ts';
export { providerAccount } from './worker/provider-account.ts';
export { queue } from './queue-status.ts';
export type { Pace } from './pace-estimate.ts';
export { createRenderer } from './compose/render-personal.ts';
export { showPersonal } from './compose/show-personal.ts';
export { suppressWaiting } from './pause/suppress-waiting.ts';
export { createHeartbeat, listWorkers } from './worker/worker-heartbeat.ts';
