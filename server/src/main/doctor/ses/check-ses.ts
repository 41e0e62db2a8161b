import type { Db } from '#platform/db/database.ts';
import type { Settings } from '#platform/config/settings.ts';
import { isQuotaUsedUp, readingOf, type SesAccountReading } from '#providers/ses/account.ts';
import type { SesInspector } from '#providers/ses/ses-inspector.ts';
import { CONFIGURATION_SET, CREDENTIALS, EVENT_DESTINATION, IDENTITY } from './about-ses.ts';
import { QUOTA, RECEIVING, REGION, SANDBOX, STANDING } from './about-ses.ts';
import { type Asked, askSes, type Refusal } from './ask-ses.ts';
import { checkEvents } from './check-events.ts';
import { checkIdentities } from './check-identities.ts';
import { checkReceivedMail, checkReceiving } from './check-receiving.ts';
import { checkConfigurationSet } from './check-configuration-set.ts';
import { type Finding, ok, skipped, trouble } from '../finding.ts';

export interface SesCheckDeps {
  db: Db;
  settings: Settings;
  inspector: SesInspector;
  region: string;
  /** As the provider URL names it. */
  configurationSet: string | null;
  now: Date;
  checkCallback(): Promise<Finding>;
}

const CUT_OFF = 'Not looked at: Amazon SES cannot be asked.';

/** Everything between us and an event of Amazon SES, from our credentials to its last word. */
export async function checkSes(deps: SesCheckDeps): Promise<{ checks: Finding[]; account: Record<string, unknown> }> {
  const { inspector, region, settings } = deps;
  const asked = await askSes(inspector.account());
  const reading = 'answer' in asked ? readingOf(asked.answer) : undefined;
  // Further questions would come to the same, ten seconds each.
  const isCutOff = 'refusal' in asked && asked.refusal !== 'denied';
  const identities = isCutOff ? undefined : await checkIdentities(deps);
  const set = isCutOff ? undefined : await checkConfigurationSet(deps, identities?.defaultSets ?? []);
  const checks = [
    judgeCredentials(asked),
    judgeRegion(asked, region),
    ...judgeAccount(reading, region, settings.sendRate),
    ...(identities?.findings ?? [skipped(IDENTITY, CUT_OFF)]),
    ...(set?.findings ?? [skipped(CONFIGURATION_SET, CUT_OFF), skipped(EVENT_DESTINATION, CUT_OFF)]),
    ...(await checkEvents(deps, set?.topics ?? [], deps.checkCallback)),
    ...(isCutOff ? [skipped(RECEIVING, CUT_OFF)] : await checkReceiving(deps)),
    await checkReceivedMail(deps),
  ];
  return { checks, account: { region, configuration_set: deps.configurationSet, ...(reading ? view(reading) : {}) } };
}

const WRONG: Partial<Record<Refusal, 'missing' | 'unknown' | 'expired' | 'clock' | 'denied'>> = {
  'no credentials': 'missing',
  'unknown credentials': 'unknown',
  'expired credentials': 'expired',
  clock: 'clock',
  denied: 'denied',
};

function judgeCredentials(asked: Asked<unknown>): Finding {
  if ('answer' in asked) return ok(CREDENTIALS, 'AWS knows the credentials.');
  const kind = WRONG[asked.refusal];
  if (kind === undefined) return skipped(CREDENTIALS, 'Not looked at: Amazon SES does not answer.');
  return trouble(CREDENTIALS, kind, asked.words);
}

function judgeRegion(asked: Asked<unknown>, region: string): Finding {
  if ('answer' in asked) return ok(REGION, `Amazon SES answers in ${region}.`);
  const { refusal, words } = asked;
  if (refusal === 'no credentials') return skipped(REGION, 'Not looked at: there are no credentials to ask with.');
  if (refusal === 'no such host') return trouble(REGION, 'unknown', words, { region });
  if (refusal === 'unreachable') return trouble(REGION, 'unreachable', words, { region });
  if (refusal === 'other' || refusal === 'not found') return trouble(REGION, 'strange', words);
  return ok(REGION, `Amazon SES answers in ${region}.`);
}

function judgeAccount(reading: SesAccountReading | undefined, region: string, sendRate: number): Finding[] {
  if (reading === undefined) {
    const why = 'Not looked at: the account could not be read.';
    return [skipped(SANDBOX, why), skipped(STANDING, why), skipped(QUOTA, why)];
  }
  const sandbox = reading.productionAccess
    ? ok(SANDBOX, 'The account has production access.')
    : trouble(SANDBOX, 'sandbox', 'The account does not have production access.', { region });
  return [sandbox, judgeStanding(reading, region), judgeQuota(reading, sendRate)];
}

function judgeStanding({ sendingEnabled, enforcementStatus }: SesAccountReading, region: string): Finding {
  const said = `Amazon SES says: ${enforcementStatus ?? 'nothing'}.`;
  if (enforcementStatus === 'SHUTDOWN') return trouble(STANDING, 'shutdown', said);
  if (!sendingEnabled) return trouble(STANDING, 'paused', 'Sending is not enabled.', { region });
  if (enforcementStatus === 'PROBATION') return trouble(STANDING, 'probation', said);
  return ok(STANDING, said);
}

function judgeQuota(reading: SesAccountReading, sendRate: number): Finding {
  const { max24HourSend, maxSendRate, sentLast24Hours } = reading;
  const used = `${sentLast24Hours} of ${max24HourSend ?? 'any number of'} emails in 24 hours`;
  const message = `${used}; ${maxSendRate ?? 'an unknown number'} a second are allowed, ${sendRate} are set.`;
  if (isQuotaUsedUp(reading)) return trouble(QUOTA, 'used up', message);
  if (max24HourSend !== null && sentLast24Hours >= 0.8 * max24HourSend)
    return trouble(QUOTA, 'nearly used up', message);
  if (maxSendRate !== null && maxSendRate < sendRate) return trouble(QUOTA, 'rate is lower', message);
  return ok(QUOTA, message);
}

const view = (reading: SesAccountReading): Record<string, unknown> => ({
  max_send_rate: reading.maxSendRate,
  max_24_hour_send: reading.max24HourSend,
  sent_last_24_hours: reading.sentLast24Hours,
  production_access: reading.productionAccess,
  sending_enabled: reading.sendingEnabled,
  enforcement_status: reading.enforcementStatus,
});
