import { REQUESTS_DAYS } from '#features/request-log';
import { RELAY_SESSIONS_DAYS } from '#features/smtp-relay';
import type { Settings } from '#platform/config/settings.ts';

/** How long the records of one kind are kept. */
export interface Retention {
  records: string;
  /** null: for ever. */
  days: number | null;
  /** null: no setting changes it. */
  setting: string | null;
}

const AUDIT_DAYS_MIN = 30;
/** As the sweepers of webhooks have it in their statements. */
const DELIVERIES_DAYS = 30;

type Days = Pick<
  Settings,
  'retentionDays' | 'clientDataDays' | 'capturedDays' | 'inboundDays' | 'auditDays' | 'consentDays' | 'pendingPurgeDays'
>;

/** The work of the sweepers with these settings, in words for the operator. */
export function retentionOf(settings: Days): Retention[] {
  const of = (records: string, days: number, setting: string | null): Retention => ({
    records,
    days: days === 0 ? null : days,
    setting,
  });
  const { auditDays } = settings;
  return [
    of('Emails, with their content, events and files', settings.retentionDays, 'POSTHORN_RETENTION_DAYS'),
    of('IP addresses and user agents of opens and clicks', settings.clientDataDays, 'POSTHORN_CLIENT_DATA_DAYS'),
    of('Captured mail', settings.capturedDays, 'POSTHORN_CAPTURED_DAYS'),
    of('Received mail', settings.inboundDays, 'POSTHORN_INBOUND_DAYS'),
    of('Events and webhook deliveries', DELIVERIES_DAYS, null),
    of('Requests to the API', REQUESTS_DAYS, null),
    of('Sessions of the SMTP relay', RELAY_SESSIONS_DAYS, null),
    of('Audit log and security log', auditDays === 0 ? 0 : Math.max(auditDays, AUDIT_DAYS_MIN), 'POSTHORN_AUDIT_DAYS'),
    of('Proofs of consent of deleted newsletters', settings.consentDays, 'POSTHORN_CONSENT_DAYS'),
    of('Subscribers who never confirmed', settings.pendingPurgeDays, 'POSTHORN_PENDING_PURGE_DAYS'),
  ];
}
