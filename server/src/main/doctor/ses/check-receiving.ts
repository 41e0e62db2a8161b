import type { ReceiptAction, ReceiptRule } from '@aws-sdk/client-ses';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import type { SesInspector } from '#providers/ses/ses-inspector.ts';
import { RECEIVED_MAIL, RECEIVING } from './about-ses.ts';
import { askSes } from './ask-ses.ts';
import { type Finding, ok, skipped, trouble } from '../finding.ts';
import { countArrivalsLeft, listReceivingDomains } from '../queries.ts';

interface Deps {
  db: Db;
  settings: Settings;
  inspector: SesInspector;
  now: Date;
}

const WAITS_MS_MAX = 600_000;

/** The receipt rules of each region that domains receive in. */
export async function checkReceiving({ db, settings, inspector }: Deps): Promise<Finding[]> {
  if (settings.sesReceiving === 'off')
    return [ok(RECEIVING, 'Nothing is received through SES: POSTHORN_SES_RECEIVING is off.')];
  const domains = await listReceivingDomains(db);
  if (domains.length === 0) return [skipped(RECEIVING, 'No domain receives mail.')];
  const regions = Map.groupBy(domains, ({ region }) => region);
  const findings: Finding[] = [];
  for (const [region, here] of regions) {
    const names = here.map(({ domain }) => domain);
    findings.push(...(await checkRegion({ settings, inspector }, region, names)));
  }
  if (findings.length > 0) return findings;
  return [ok(RECEIVING, `Receipt rules bring the mail of ${domains.map(({ domain }) => domain).join(', ')}.`)];
}

async function checkRegion(
  { settings, inspector }: Pick<Deps, 'settings' | 'inspector'>,
  region: string,
  names: readonly string[],
): Promise<Finding[]> {
  const asked = await askSes(inspector.receiptRules(region));
  if ('refusal' in asked) {
    return [trouble(RECEIVING, asked.refusal === 'denied' ? 'denied' : 'unknown', asked.words, { region })];
  }
  if (asked.answer === null) return [trouble(RECEIVING, 'no rule set', `${region}: none is active.`, { region })];
  const { name, rules } = asked.answer;
  const actionOf = (domain: string) => actionFor(domain, rules, settings);
  const without = names.filter((domain) => actionOf(domain) === undefined);
  const lossy = names.flatMap((domain) => {
    const reason = lossOf(actionOf(domain) ?? {});
    return reason === undefined ? [] : [{ domain, reason }];
  });
  const list = (these: readonly string[]): string => these.slice(0, 10).join(', ');
  const values = { region, domains: list(without) };
  const losing = { domains: list(lossy.map(({ domain }) => domain)), reason: lossy[0]?.reason ?? '' };
  return [
    ...(without.length === 0
      ? []
      : [trouble(RECEIVING, 'no rule', `${name} in ${region}: none for ${list(without)}.`, values)]),
    ...(lossy.length === 0 ? [] : [trouble(RECEIVING, 'unreadable', `${name} in ${region}.`, losing)]),
  ];
}

/** The action that brings the mail of a domain here; undefined: none does. */
function actionFor(domain: string, rules: readonly ReceiptRule[], settings: Settings): ReceiptAction | undefined {
  return rules
    .filter(({ Enabled, Recipients = [] }) => Enabled === true && isFor(domain, Recipients))
    .flatMap(({ Actions = [] }) => Actions)
    .find(({ S3Action, SNSAction }) => {
      const topic = SNSAction?.TopicArn ?? S3Action?.TopicArn;
      const isReadable = S3Action === undefined || settings.sesBuckets.includes(S3Action.BucketName ?? '');
      return topic !== undefined && settings.sesTopicArns.includes(topic) && isReadable;
    });
}

/** None is every verified domain; `.example.com` is all below it (page "Creating receipt rules"). */
const isFor = (domain: string, recipients: readonly string[]): boolean =>
  recipients.length === 0 ||
  recipients.some((one) => {
    const given = one.toLowerCase();
    return given === domain || (given.startsWith('.') && domain.endsWith(given));
  });

function lossOf({ S3Action, SNSAction }: ReceiptAction): string | undefined {
  if (SNSAction !== undefined && SNSAction.Encoding !== 'Base64') return 'the encoding UTF-8 of the action SNS';
  return S3Action?.KmsKeyArn === undefined ? undefined : 'the KMS key of the action S3';
}

/** Mail that waits here: SES has said that it arrived. */
export async function checkReceivedMail({ db, now }: Deps): Promise<Finding> {
  const { waiting, refused, note } = await countArrivalsLeft(db, new Date(now.getTime() - WAITS_MS_MAX));
  const reason = note ?? 'it was not tried yet';
  const message = `${waiting} messages wait, ${refused} were given up in seven days.`;
  if (refused > 0) return trouble(RECEIVED_MAIL, 'given up', message, { reason });
  if (waiting > 0) return trouble(RECEIVED_MAIL, 'waits', message, { reason });
  return ok(RECEIVED_MAIL, 'No mail from Amazon SES waits.');
}
