/**
 * Identities of the Amazon SES API v2: pages "CreateEmailIdentity", "GetEmailIdentity", "DeleteEmailIdentity",
 * "PutEmailIdentityDkimSigningAttributes", and "Bring Your Own DKIM (BYODKIM)" of the developer guide: the private key
 * is RSA, in PKCS #1 or PKCS #8, as base64 in one line.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { errorAnswer, json, type WireAnswer } from './ses-wire.ts';

export interface SesIdentity {
  verified: boolean;
  configurationSet?: string;
  /** Left out: every region has it. */
  region?: string;
  /** Of a key that was brought; left out: three keys of SES. */
  selector?: string;
  privateKey?: KeyObject;
  /** SES has looked for the key for 72 hours. */
  gaveUp?: boolean;
}

interface Asked {
  operation: string;
  name: string;
  region: string;
  bytes: Buffer;
}

interface SigningBody {
  EmailIdentity?: string;
  SigningAttributesOrigin?: string;
  DkimSigningAttributes?: SigningAttributes;
  SigningAttributes?: SigningAttributes;
}

interface SigningAttributes {
  DomainSigningSelector?: string;
  DomainSigningPrivateKey?: string;
}

export function answerIdentity(
  identities: Record<string, SesIdentity>,
  { operation, name, region, bytes }: Asked,
): WireAnswer {
  const there = identities[name];
  const isHere = there !== undefined && (there.region ?? region) === region;
  const body = (bytes.length === 0 ? {} : JSON.parse(bytes.toString())) as SigningBody; // checked below
  if (operation === 'CreateEmailIdentity') return create(identities, body, region);
  if (!isHere) return errorAnswer(404, 'NotFoundException', `Email identity ${name} does not exist.`);
  if (operation === 'GetEmailIdentity') return get(name, there);
  if (operation === 'DeleteEmailIdentity') {
    delete identities[name];
    return json({});
  }
  const key = body.SigningAttributesOrigin === 'EXTERNAL' ? readKey(body.SigningAttributes) : undefined;
  if (key === undefined) return errorAnswer(400, 'BadRequestException', 'Invalid DKIM signing attributes.');
  // SES looks for the new key, and the domain stays verified meanwhile when it was.
  identities[name] = { ...there, ...key, gaveUp: false };
  return json({ DkimStatus: 'PENDING', DkimTokens: [key.selector], SigningHostedZone: 'dkim.amazonses.com' });
}

function create(identities: Record<string, SesIdentity>, body: SigningBody, region: string): WireAnswer {
  const { EmailIdentity: name = '', DkimSigningAttributes: attributes } = body;
  const there = identities[name];
  if (there !== undefined && (there.region ?? region) === region)
    return errorAnswer(400, 'AlreadyExistsException', `Email identity ${name} already exist.`);
  const key = readKey(attributes);
  if (key === undefined || name === '')
    return errorAnswer(400, 'BadRequestException', 'Invalid DKIM signing attributes.');
  identities[name] = { verified: false, region, ...key };
  return json({ IdentityType: 'DOMAIN', VerifiedForSendingStatus: false, DkimAttributes: dkimOf(identities[name]) });
}

function readKey(given: SigningAttributes = {}): { selector: string; privateKey: KeyObject } | undefined {
  const { DomainSigningSelector: selector = '', DomainSigningPrivateKey: text = '' } = given;
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(selector) || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const der = Buffer.from(text, 'base64');
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      const privateKey = createPrivateKey({ key: der, format: 'der', type });
      const bits = privateKey.asymmetricKeyDetails?.modulusLength;
      return bits === 1024 || bits === 2048 ? { selector, privateKey } : undefined;
    } catch {
      // the other form
    }
  }
  return undefined;
}

function dkimOf(identity: SesIdentity) {
  const isBrought = identity.selector !== undefined;
  return {
    SigningEnabled: true,
    Status: identity.gaveUp === true ? 'FAILED' : identity.verified ? 'SUCCESS' : 'PENDING',
    Tokens: isBrought ? [identity.selector] : ['token1', 'token2', 'token3'],
    SigningAttributesOrigin: isBrought ? 'EXTERNAL' : 'AWS_SES',
    SigningHostedZone: 'dkim.amazonses.com',
  };
}

const get = (name: string, identity: SesIdentity): WireAnswer =>
  json({
    IdentityType: name.includes('@') ? 'EMAIL_ADDRESS' : 'DOMAIN',
    FeedbackForwardingStatus: true,
    VerifiedForSendingStatus: identity.verified,
    VerificationStatus: identity.verified ? 'SUCCESS' : 'PENDING',
    DkimAttributes: dkimOf(identity),
    MailFromAttributes: { BehaviorOnMxFailure: 'USE_DEFAULT_VALUE' },
    Policies: {},
    Tags: [],
    ...(identity.configurationSet === undefined ? {} : { ConfigurationSetName: identity.configurationSet }),
  });
