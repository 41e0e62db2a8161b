import type { SystemMail } from '#features/workspaces';
import { escapeHtml } from '#platform/html/html.ts';
import { withoutQuery } from '../webhook.ts';
import type { FailingEndpoint } from './queries/endpoint-health.ts';

/** Mails to the owners of a workspace about one of its endpoints. Addresses and reasons are not ours: escaped. */
export type OwnersMail = (endpoint: FailingEndpoint, workspaceName: string, to: string) => SystemMail;

function compose(to: string, subject: string, lines: readonly string[]): SystemMail {
  return {
    to,
    subject: subject.replace(/[\p{Cc}\s]+/gu, ' ').trim(),
    text: lines.join('\n\n'),
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n'),
  };
}

const since = (endpoint: FailingEndpoint): string =>
  endpoint.failingSince === null
    ? ''
    : ` since ${endpoint.failingSince.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const failingMail: OwnersMail = (endpoint, workspaceName, to) =>
  compose(to, `A webhook of ${workspaceName} is failing`, [
    `Every delivery to ${withoutQuery(endpoint.url)} has failed${since(endpoint)}.`,
    'We go on trying. An endpoint that does nothing but fail for five days is disabled.',
    `What it answers is recorded with its deliveries: GET /v1/webhooks/${endpoint.id}/deliveries`,
  ]);

export const disabledMail =
  (reason: string): OwnersMail =>
  (endpoint, workspaceName, to) =>
    compose(to, `A webhook of ${workspaceName} was disabled`, [
      `The webhook endpoint ${withoutQuery(endpoint.url)} was disabled. ${reason}`,
      'New events are not delivered to it. What was waiting already is kept for 30 days, and goes out when the endpoint is enabled again.',
      `Enable it with PATCH /v1/webhooks/${endpoint.id} {"enabled": true}; what it missed can be sent with POST /v1/webhooks/${endpoint.id}/replay.`,
    ]);
