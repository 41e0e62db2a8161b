import type { Email } from '../../api/generated/types.gen.ts';

const ON_ITS_WAY: readonly Email['status'][] = ['pending', 'queued', 'sending'];
const OF_LISTS: readonly Email['source'][] = ['issue', 'broadcast', 'confirmation'];

/** The reasons for which the server would refuse it (`server/src/features/emails/records/resend-email.ts`). */
export function whyNotAgain({ source, status }: Pick<Email, 'source' | 'status'>): string | undefined {
  if (source === 'system') return 'Mail of the system is not sent again: ask for a new one.';
  if (OF_LISTS.includes(source)) return 'Mail of a newsletter is sent again from its issue or its subscriber.';
  if (ON_ITS_WAY.includes(status)) return 'This email is still on its way.';
  return undefined;
}
