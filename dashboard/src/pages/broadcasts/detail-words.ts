import { counted, formatCount } from '../../lib/number.ts';
import { exactTime } from '../../lib/time.ts';

const NUMBERS: Readonly<Record<string, (count: number) => string>> = {
  page: (count) => `page ${formatCount(count)}`,
  sent: (count) => `${formatCount(count)} sent`,
  failed: (count) => `${formatCount(count)} not sent`,
  skipped_unsubscribed: (count) => `${formatCount(count)} had left`,
  total_recipients: (count) => counted(count, 'recipient'),
  total_failed: (count) => `${formatCount(count)} not sent`,
  already_queued: (count) => `${counted(count, 'email')} in the queue still left`,
  pages_completed: (count) => `${counted(count, 'page')} of recipients done`,
};

const TIMES: Readonly<Record<string, (at: string) => string>> = {
  first_start_at: (at) => `the first at ${exactTime(at)}`,
  last_start_at: (at) => `the last at ${exactTime(at)}`,
};

/** The counts and times in an entry of the log as words, in this order; undefined when it has anything else. */
export function detailWords(details: Readonly<Record<string, unknown>>): string | undefined {
  if (Object.keys(details).some((key) => NUMBERS[key] === undefined && TIMES[key] === undefined)) return undefined;
  const words = Object.entries(NUMBERS).flatMap(([key, inWords]) => {
    const count = details[key];
    return typeof count === 'number' ? [inWords(count)] : [];
  });
  for (const [key, inWords] of Object.entries(TIMES)) {
    const at = details[key];
    if (typeof at === 'string') words.push(inWords(at));
  }
  const said = words.join(', ');
  return said === '' ? undefined : `${said[0]?.toUpperCase() ?? ''}${said.slice(1)}`;
}
