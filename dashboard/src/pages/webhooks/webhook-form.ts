import type { CreateWebhookRequest, Webhook } from '../../api/generated/types.gen.ts';

/** The fields of the form have the names of the API, so that a refused one shows its sentence. */
export interface WebhookValues extends Record<string, unknown> {
  url: string;
  description: string;
  events: string[];
  newsletter_ids: string[];
  domain_ids: string[];
}

export const EMPTY_WEBHOOK: WebhookValues = {
  url: '',
  description: '',
  events: ['delivery', 'bounce', 'complaint'],
  newsletter_ids: [],
  domain_ids: [],
};

export const valuesOfWebhook = ({ url, description, events, newsletter_ids, domain_ids }: Webhook): WebhookValues => ({
  url,
  description: description ?? '',
  events: [...events],
  newsletter_ids: [...newsletter_ids],
  domain_ids: [...domain_ids],
});

/** The body of the request. */
export const bodyOfWebhook = ({
  url,
  description,
  events,
  newsletter_ids,
  domain_ids,
}: WebhookValues): CreateWebhookRequest => ({
  url: url.trim(),
  description: description.trim() === '' ? null : description.trim(),
  events,
  newsletter_ids,
  domain_ids,
});
