import type { Settings } from '../config/settings.ts';
import { networkOf } from '../ip-network.ts';
import type { AttemptLimit } from './attempt-limits.ts';

const MINUTE = 60;
const HOUR = 3_600;

/** A customer of IPv6 has a /64 to themselves, and often more: single addresses there are no limit at all. */
const callerOf = (ip: string): string => networkOf(ip, { ofIpv4: 4, ofIpv6: 8 });

/** The limits of a caller without a key, in a minute and in an hour. */
export const limitsOfCaller = (
  what: string,
  ip: string,
  { publicLimitPerMinute, publicLimitPerHour }: Pick<Settings, 'publicLimitPerMinute' | 'publicLimitPerHour'>,
): AttemptLimit[] => [
  {
    subject: `${what}, minute ${callerOf(ip)}`,
    max: publicLimitPerMinute,
    windowSeconds: MINUTE,
    setting: 'POSTHORN_PUBLIC_LIMIT_PER_MINUTE',
  },
  {
    subject: `${what}, hour ${callerOf(ip)}`,
    max: publicLimitPerHour,
    windowSeconds: HOUR,
    setting: 'POSTHORN_PUBLIC_LIMIT_PER_HOUR',
  },
];
