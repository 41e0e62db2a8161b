import type { OwnersMail } from '#features/workspaces';
import { withoutQuery } from '../webhook.ts';
import type { FailingEndpoint } from './queries/endpoint-health.ts';

/** The mail to the owners of a workspace about one of its endpoints. */
export type EndpointMail = (endpoint: FailingEndpoint, workspaceName: string) => OwnersMail;

const since = (endpoint: FailingEndpoint): string =>
  endpoint.failingSince === null
    ? ''
    : ` since ${endpoint.failingSince.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const failingMail: EndpointMail = (endpoint, workspaceName) => ({
  subject: `A webhook of ${workspaceName} is failing`,
  paragraphs: [
    `Every delivery to ${withoutQuery(endpoint.url)} has failed${since(endpoint)}.`,
    'We go on trying. An endpoint that does nothing but fail for five days is disabled.',
    `What it answers is recorded with its deliveries: GET /v1/webhooks/${endpoint.id}/deliveries`,
  ],
});

export const disabledMail =
  (reason: string): EndpointMail =>
  (endpoint, workspaceName) => ({
    subject: `A webhook of ${workspaceName} was disabled`,
    paragraphs: [
      `The webhook endpoint ${withoutQuery(endpoint.url)} was disabled. ${reason}`,
      'New events are not delivered to it. What was waiting already is kept for 30 days, and goes out when the endpoint is enabled again.',
      `Enable it with PATCH /v1/webhooks/${endpoint.id} {"enabled": true}; what it missed can be sent with POST /v1/webhooks/${endpoint.id}/replay.`,
    ],
  });
