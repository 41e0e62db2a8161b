export { createSmtpRelayFeature, type RelayState } from './feature.ts';
export { forgetRelaySessions, RELAY_SESSIONS_DAYS } from './sessions/forget-sessions.ts';
export { deletePageOfSessions } from './sessions/queries.ts';
export type { LaterPorts } from './submission/accept-message.ts';
