import type { ReplayWebhookRequest } from '../../api/generated/types.gen.ts';
import { asLocalInput, fromLocalInput } from '../../lib/time.ts';

/** The fields of the form have the names of the API, so that a refused one shows its sentence. */
export interface ReplayValues extends Record<string, unknown> {
  /** As `<input type="datetime-local">` writes it: the person's own time. */
  since: string;
  until: string;
  only_failed: 'failed' | 'all';
  event_types: string[];
}

export const yesterday = (now: number): string => asLocalInput(new Date(now - 86_400_000));

export const bodyOfReplay = (values: ReplayValues, cursor: string | undefined): ReplayWebhookRequest => ({
  since: fromLocalInput(values.since),
  ...(values.until === '' ? {} : { until: fromLocalInput(values.until) }),
  only_failed: values.only_failed === 'failed',
  ...(values.event_types.length === 0 ? {} : { event_types: values.event_types }),
  ...(cursor === undefined ? {} : { cursor }),
});
