/**
 * The operations of the Amazon SES API v2 that we use, as the reference has them: path, input, output, errors
 * (pages "SendEmail", "GetAccount", "GetEmailIdentity", "GetConfigurationSet", "GetConfigurationSetEventDestinations").
 */
import { answerIdentity, type SesIdentity } from './ses-identity-operations.ts';
import { describeReceiptRules, RECEIPT_RULES, type SesReceiptRule } from './ses-receipt-rules.ts';
import { errorAnswer, json, type WireAnswer } from './ses-wire.ts';

export interface SesAccount {
  maxSendRate: number;
  /** -1: without end. */
  max24HourSend: number;
  sentLast24Hours: number;
  productionAccess: boolean;
  sendingEnabled: boolean;
  enforcementStatus: 'HEALTHY' | 'PROBATION' | 'SHUTDOWN';
  /** By address or domain. */
  identities: Record<string, SesIdentity>;
  /** By name: its event destinations. */
  configurationSets: Record<string, SesEventDestination[]>;
  /** Addresses on the suppression list of the account, by region. */
  suppressed: Record<string, string[]>;
  /** The active rule set of every region; null: none. */
  receiptRules: SesReceiptRule[] | null;
}

export interface SesEventDestination {
  name: string;
  enabled: boolean;
  /** SEND, REJECT, BOUNCE, COMPLAINT, DELIVERY, OPEN, CLICK, RENDERING_FAILURE, DELIVERY_DELAY, SUBSCRIPTION. */
  events: string[];
  topicArn?: string;
}

const OPERATIONS: [operation: string, method: string, path: RegExp][] = [
  ['SendEmail', 'POST', /^\/v2\/email\/outbound-emails$/],
  ['GetAccount', 'GET', /^\/v2\/email\/account$/],
  ['GetEmailIdentity', 'GET', /^\/v2\/email\/identities\/([^/]+)$/],
  ['CreateEmailIdentity', 'POST', /^\/v2\/email\/identities$/],
  ['DeleteEmailIdentity', 'DELETE', /^\/v2\/email\/identities\/([^/]+)$/],
  ['PutEmailIdentityDkimSigningAttributes', 'PUT', /^\/v2\/email\/identities\/([^/]+)\/dkim\/signing$/],
  ['GetConfigurationSetEventDestinations', 'GET', /^\/v2\/email\/configuration-sets\/([^/]+)\/event-destinations$/],
  ['GetConfigurationSet', 'GET', /^\/v2\/email\/configuration-sets\/([^/]+)$/],
  ['DeleteSuppressedDestination', 'DELETE', /^\/v2\/email\/suppression\/addresses\/([^/]+)$/],
  [RECEIPT_RULES, 'POST', /^\/$/],
];

export const operationOf = (method: string, path: string): string =>
  OPERATIONS.find(([, verb, pattern]) => verb === method && pattern.test(path))?.[0] ?? 'UnknownOperation';

/** The parts of a path that stand for a name. */
const nameIn = (operation: string, path: string): string => {
  const pattern = OPERATIONS.find(([name]) => name === operation)?.[2];
  return decodeURIComponent(pattern?.exec(path)?.[1] ?? '');
};

export function answerOperation(
  { operation, path, region, bytes }: { operation: string; path: string; region: string; bytes: Buffer },
  account: SesAccount,
  take: (body: Record<string, unknown>) => string,
): WireAnswer {
  const name = nameIn(operation, path);
  switch (operation) {
    case 'SendEmail':
      return sendEmail(bytes, account, take);
    case 'GetAccount':
      return json({
        DedicatedIpAutoWarmupEnabled: true,
        EnforcementStatus: account.enforcementStatus,
        ProductionAccessEnabled: account.productionAccess,
        SendQuota: {
          Max24HourSend: account.max24HourSend,
          MaxSendRate: account.maxSendRate,
          SentLast24Hours: account.sentLast24Hours,
        },
        SendingEnabled: account.sendingEnabled,
        SuppressionAttributes: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      });
    case 'GetEmailIdentity':
    case 'CreateEmailIdentity':
    case 'DeleteEmailIdentity':
    case 'PutEmailIdentityDkimSigningAttributes':
      return answerIdentity(account.identities, { operation, name, region, bytes });
    case 'DeleteSuppressedDestination': {
      const list = account.suppressed[region] ?? [];
      if (!list.includes(name))
        return errorAnswer(404, 'NotFoundException', `Email address ${name} does not exist on your suppression list.`);
      account.suppressed[region] = list.filter((address) => address !== name);
      return json({});
    }
    case RECEIPT_RULES:
      return describeReceiptRules(bytes, account.receiptRules);
    case 'GetConfigurationSet':
      if (account.configurationSets[name] === undefined) return noConfigurationSet(name);
      return json({
        ConfigurationSetName: name,
        SendingOptions: { SendingEnabled: true },
        ReputationOptions: { ReputationMetricsEnabled: false },
        DeliveryOptions: { TlsPolicy: 'OPTIONAL' },
        Tags: [],
      });
    case 'GetConfigurationSetEventDestinations': {
      const destinations = account.configurationSets[name];
      if (destinations === undefined) return noConfigurationSet(name);
      return json({
        EventDestinations: destinations.map((one) => ({
          Name: one.name,
          Enabled: one.enabled,
          MatchingEventTypes: one.events,
          ...(one.topicArn === undefined ? {} : { SnsDestination: { TopicArn: one.topicArn } }),
        })),
      });
    }
    default:
      return errorAnswer(404, 'UnknownOperationException', 'The requested operation is not known.');
  }
}

const noConfigurationSet = (name: string): WireAnswer =>
  errorAnswer(404, 'NotFoundException', `Configuration set <${name}> does not exist.`);

function sendEmail(bytes: Buffer, account: SesAccount, take: (body: Record<string, unknown>) => string): WireAnswer {
  const body = JSON.parse(bytes.toString()) as {
    Content?: { Raw?: { Data?: string } };
    Destination?: Record<string, string[]>;
    ConfigurationSetName?: string;
    EmailTags?: { Name: string; Value: string }[];
  };
  const refused = (message: string): WireAnswer => errorAnswer(400, 'BadRequestException', message);
  if (typeof body.Content?.Raw?.Data !== 'string') return refused('Message content is required.');
  const recipients = Object.values(body.Destination ?? {}).flat();
  if (recipients.length > 50) return refused('Recipient count exceeds 50.');
  if (recipients.some((address) => !/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(address)))
    return refused('Local address contains control or whitespace');
  const mime = Buffer.from(body.Content.Raw.Data, 'base64').toString('latin1');
  if (!/^from:/im.test(mime.split('\r\n\r\n')[0] ?? '')) return refused("Missing required header 'From'.");
  const tag = /^[A-Za-z0-9_-]{1,256}$/;
  if ((body.EmailTags ?? []).some(({ Name, Value }) => !tag.test(Name) || !tag.test(Value)))
    return refused('Tag names and values can only contain ASCII letters, numbers, underscores and dashes.');
  const set = body.ConfigurationSetName;
  if (set !== undefined && account.configurationSets[set] === undefined) return noConfigurationSet(set);
  if (!account.sendingEnabled)
    return errorAnswer(400, 'SendingPausedException', 'Email sending is paused for this account.');
  return json({ MessageId: take(body) });
}
