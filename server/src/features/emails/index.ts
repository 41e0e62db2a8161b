export { downloadHeaders } from './download-headers.ts';
export { createEmailsFeature } from './feature.ts';
export { describeQueue } from './jobs/queue.ts';
export { Queue } from './jobs/schemas.ts';
export { LIMITS as SEND_LIMITS } from './sending/schemas.ts';
export { requireSenderDomain } from './sending/sender-permission.ts';
export { sendTemplateTest } from './sending/send-template-test.ts';
