import { BATCHES, LISTS } from './in-lists.ts';
import { NEWSLETTERS, OTHERS } from './in-newsletters.ts';
import { REQUESTS } from './in-requests.ts';
import { SENDS } from './in-sends.ts';
import { SEVERAL_FIELDS } from './in-several-fields.ts';
import type { Mistake } from './mistake.ts';

/** The mistakes of new users, by the chapters of docs/typical-mistakes.md. */
export const MISTAKES: Readonly<Record<string, readonly Mistake[]>> = {
  Requests: REQUESTS,
  'One email': SENDS,
  'Several emails': BATCHES,
  'Several faults at once': SEVERAL_FIELDS,
  'Lists and filters': LISTS,
  Newsletters: NEWSLETTERS,
  'Webhooks, keys and suppressions': OTHERS,
};
