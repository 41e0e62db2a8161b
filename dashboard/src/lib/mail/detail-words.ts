import { fieldWords, sentence } from '../action-words.ts';
import { counted, formatCount } from '../number.ts';
import { exactTime } from '../time.ts';
import { ownEntry } from '../own-entry.ts';

const NUMBERS: Readonly<Record<string, (count: number) => string>> = {
  pages: (count) => counted(count, 'page'),
  page: (count) => `page ${formatCount(count)}`,
  sent: (count) => `${formatCount(count)} to send`,
  failed: (count) => `${formatCount(count)} not sent`,
  skipped_unsubscribed: (count) => `${formatCount(count)} had left`,
  total_recipients: (count) => counted(count, 'recipient'),
  total: (count) => counted(count, 'recipient'),
  total_failed: (count) => `${formatCount(count)} not sent`,
  already_queued: (count) => `${counted(count, 'email')} in the queue still left`,
  queued: (count) => `${counted(count, 'email')} queued again`,
  pages_completed: (count) => `${counted(count, 'page')} of recipients done`,
};

const TIMES: Readonly<Record<string, (at: string) => string>> = {
  scheduled_for: (at) => `for ${exactTime(at)}`,
  was: (at) => `before for ${exactTime(at)}`,
  first_start_at: (at) => `the first at ${exactTime(at)}`,
  last_start_at: (at) => `the last at ${exactTime(at)}`,
};

type Details = Readonly<Record<string, unknown>>;

/** An entry of the log as words; undefined when it has anything that has none. */
export const detailWords = (details: Details): string | undefined =>
  countWords(details) ?? causeWords(details) ?? originWords(details) ?? changeWords(details) ?? redirectWords(details);

/** The counts and times, in the order above. */
function countWords(details: Details): string | undefined {
  const isKnown = (key: string) =>
    ownEntry(NUMBERS, key) !== undefined || ownEntry(TIMES, key) !== undefined || key === 'zone_rules';
  if (!Object.keys(details).every(isKnown)) return undefined;
  const words = Object.entries(NUMBERS).flatMap(([key, inWords]) => {
    const count = details[key];
    return typeof count === 'number' ? [inWords(count)] : [];
  });
  for (const [key, inWords] of Object.entries(TIMES)) {
    const at = details[key];
    if (typeof at === 'string') words.push(inWords(at));
  }
  if (isRecord(details['zone_rules'])) words.push('by new rules of the time zone');
  const said = words.join(', ');
  return said === '' ? undefined : sentence(said);
}

/** Why it failed, or paused by itself and until when. The code is for programs. */
function causeWords({ error, reason = error, code: _code, resumes_at: end, ...rest }: Details): string | undefined {
  if (typeof reason !== 'string' || Object.keys(rest).length > 0) return undefined;
  return typeof end === 'string' ? `${reason} It goes on at ${exactTime(end)}.` : reason;
}

/** The record that it was made from, which has a page of its own. */
function originWords({ duplicate_of: copied, corrects, ...rest }: Details): string | undefined {
  if (Object.keys(rest).length > 0) return undefined;
  if (typeof copied === 'string') return 'As a copy of another one';
  if (!isRecord(corrects)) return undefined;
  const version = corrects['content_version'];
  return `As a correction of another one${typeof version === 'number' ? ` for those who got version ${version}` : ''}`;
}

/** The fields that were changed, with their values where the log has them. */
function changeWords({ fields, changes = {}, version, ...rest }: Details): string | undefined {
  if (!Array.isArray(fields) || !isRecord(changes) || Object.keys(rest).length > 0) return undefined;
  let hasValues = false;
  const words = fields.map((field) => {
    const name = fieldWords(String(field));
    const change = ownEntry(changes, String(field));
    if (!isRecord(change)) return name;
    hasValues = true;
    return `${name}: ${valueWords(change['before'])} → ${valueWords(change['after'])}`;
  });
  // Values have commas of their own.
  const list = words.join(hasValues ? '; ' : ', ');
  const said = typeof version === 'number' ? `Version ${version}${list && `: ${list}`}` : list;
  return said === '' ? undefined : sentence(said);
}

function redirectWords({ from, was, to, ...rest }: Details): string | undefined {
  if (typeof from !== 'string' || typeof to !== 'string' || Object.keys(rest).length > 0) return undefined;
  return `${from} leads to ${to}${typeof was === 'string' && was !== from ? `, before to ${was}` : ''}`;
}

const valueWords = (value: unknown): string =>
  value === null || value === undefined ? 'none' : typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
const isRecord = (value: unknown): value is Details => typeof value === 'object' && value !== null;
