import { isUuid } from '#platform/ids.ts';
import type { RecordVersion } from '#platform/http/record-version.ts';
import { lockDomain } from './domain-queries.ts';

/** Of a domain, for ETag and If-Match: its settings. The result of a check, and usage, make no other version. */
export const domainVersion: RecordVersion = {
  inside: 'data',
  fields: [
    'max_daily_emails',
    'max_monthly_emails',
    'receiving_enabled',
    'webhook_url',
    'bimi_enabled',
    'dkim_selector',
  ],
  lock: async ({ db, workspaceId }, { id = '' }) => (isUuid(id) ? lockDomain(db, workspaceId, id) : undefined),
};

/** A route that changes a part of a domain. */
export const CHANGES_DOMAIN = { path: '/v1/domains/:id', version: domainVersion } as const;
