import type { OwnersMail } from '#features/workspaces';
import { withoutQuery } from '../../webhook.ts';
import type { FailingEndpoint } from '../queries/endpoint-health.ts';

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
    'Posthorn continues to try. After five days without a success the endpoint is disabled.',
    endpoint.forwardsDomainId === null
      ? `Its answers are stored with its deliveries: GET /v1/webhooks/${endpoint.id}/deliveries`
      : `Received mail of a domain goes to it. Each message shows its last answer: GET /v1/inbound?domain_id=${endpoint.forwardsDomainId}`,
  ],
});

export const disabledMail =
  (reason: string): EndpointMail =>
  (endpoint, workspaceName) => ({
    subject: `A webhook of ${workspaceName} was disabled`,
    paragraphs: [
      `The webhook endpoint ${withoutQuery(endpoint.url)} was disabled. ${reason}`,
      ...(endpoint.forwardsDomainId === null
        ? [
            'New events are not delivered to it. Deliveries that were already waiting are kept for 29 days, and are sent when the endpoint is enabled again.',
            `Enable it with PATCH /v1/webhooks/${endpoint.id} {"enabled": true}. Send the missed events with POST /v1/webhooks/${endpoint.id}/replay.`,
          ]
        : [
            'Received mail of its domain waits for it, for 29 days at most.',
            `Set the address again to enable it: PATCH /v1/domains/${endpoint.forwardsDomainId}/webhook.`,
          ]),
    ],
  });
