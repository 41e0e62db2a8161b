import type { AnalyticsRow } from '../../api/generated/types.gen.ts';
import { SOURCES } from '../../lib/mail/sources.ts';
import { duration } from '../../lib/time.ts';
import { ownEntry } from '../../lib/own-entry.ts';

/** The ways to take the counts apart, each by the filter of the emails with the same name. */
export const BREAKDOWNS = [
  { value: 'mailbox_provider', label: 'Mailbox provider', filter: 'mailbox_provider' },
  { value: 'source', label: 'Source', filter: 'source' },
  { value: 'template', label: 'Template', filter: 'template_id' },
  { value: 'broadcast', label: 'Broadcast', filter: 'broadcast_id' },
  { value: 'tag', label: 'Tag', filter: 'tag' },
] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];

export const readBreakdown = (value: string | undefined): Breakdown =>
  BREAKDOWNS.find((one) => one.value === value) ?? BREAKDOWNS[0];

const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  yahoo: 'Yahoo, AOL',
  apple: 'Apple',
  gmx: 'GMX, WEB.DE',
  telekom: 'Telekom',
  ionos: 'IONOS',
  proton: 'Proton',
  fastmail: 'Fastmail',
  zoho: 'Zoho',
  mail_ru: 'Mail.ru',
  yandex: 'Yandex',
  tencent: 'Tencent',
  comcast: 'Comcast',
  orange: 'Orange',
  ovh: 'OVH',
  godaddy: 'GoDaddy',
  proofpoint: 'Proofpoint',
  mimecast: 'Mimecast',
  barracuda: 'Barracuda',
  other: 'Others',
};

/** A template or a broadcast has a name of its own, and a tag is one. */
const WORDS: Readonly<Partial<Record<Breakdown['value'], Readonly<Record<string, string>>>>> = {
  mailbox_provider: PROVIDERS,
  source: SOURCES,
};

/** Rows without a value cannot be listed: no filter asks for those. */
const WITHOUT: Readonly<Record<Breakdown['value'], string>> = {
  mailbox_provider: 'Others',
  source: 'Without a source',
  template: 'Without a template',
  broadcast: 'Without a broadcast',
  tag: 'Other tags',
};

export function nameOf({ value, filter }: Breakdown, row: AnalyticsRow, names: ReadonlyMap<string, string>): string {
  const id = row[filter] ?? null;
  if (id === null) return WITHOUT[value];
  return ownEntry(WORDS[value] ?? {}, id) ?? names.get(id) ?? id;
}

/** Of which something was sent, the most first. */
export const rowsOf = (rows: readonly AnalyticsRow[]): AnalyticsRow[] =>
  rows.filter(({ sent, delivered }) => sent > 0 || delivered > 0).toSorted((a, b) => b.sent - a.sent);

export const medianOf = ({ median_seconds_to_delivery: seconds }: AnalyticsRow): string =>
  seconds === undefined || seconds === null ? '—' : duration(seconds * 1000);
