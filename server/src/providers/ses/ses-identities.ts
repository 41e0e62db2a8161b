import type { GetEmailIdentityResponse } from '@aws-sdk/client-sesv2';
import { type LoadedSes, loadSesClient, type SesClientOptions } from './ses-client.ts';
import type { SesSettings } from './ses-settings.ts';

const ANSWER_MAX_MS = 5_000;
const CONNECTIONS = 4;

interface Name {
  domain: string;
  region: string;
}

/**
 * Domains as identities of the account, with keys of ours ("bring your own DKIM"): SES signs with them. Each call goes
 * to the region of the domain, ends within ten seconds, and rejects with the error of the SDK.
 */
export function createSesIdentities(settings: SesSettings, options: SesClientOptions = {}) {
  const { within, close } = createCalls(settings, options);
  return {
    service: 'Amazon SES',

    /** Page "CreateEmailIdentity"; "PutEmailIdentityDkimSigningAttributes" when there is one already. */
    async put({ domain, region, selector, privateKey }: Name & { selector: string; privateKey: Buffer }) {
      const key = { DomainSigningSelector: selector, DomainSigningPrivateKey: privateKey.toString('base64') };
      await within(region, async ({ sdk, client }, abortSignal) => {
        try {
          const made = new sdk.CreateEmailIdentityCommand({ EmailIdentity: domain, DkimSigningAttributes: key });
          await client.send(made, { abortSignal });
        } catch (error) {
          if (!isNamed(error, 'AlreadyExistsException')) throw error;
          const changed = new sdk.PutEmailIdentityDkimSigningAttributesCommand({
            EmailIdentity: domain,
            SigningAttributesOrigin: 'EXTERNAL',
            SigningAttributes: key,
          });
          await client.send(changed, { abortSignal });
        }
      });
    },

    /** Page "GetEmailIdentity". */
    look: ({ domain, region }: Name) =>
      within(region, async ({ sdk, client }, abortSignal) => {
        try {
          const command = new sdk.GetEmailIdentityCommand({ EmailIdentity: domain });
          return lookOf(await client.send(command, { abortSignal }));
        } catch (error) {
          if (isNamed(error, 'NotFoundException')) return null;
          throw error;
        }
      }),

    /** Page "DeleteEmailIdentity". */
    remove: ({ domain, region }: Name) =>
      within(region, async ({ sdk, client }, abortSignal) => {
        try {
          await client.send(new sdk.DeleteEmailIdentityCommand({ EmailIdentity: domain }), { abortSignal });
        } catch (error) {
          if (!isNamed(error, 'NotFoundException')) throw error;
        }
      }),

    close,
  };
}

/** A client for each region, which is loaded with its first call. */
function createCalls(settings: SesSettings, options: SesClientOptions) {
  const clients = new Map<string, Promise<LoadedSes>>();
  let closing = new AbortController();
  return {
    async within<T>(region: string, work: (ses: LoadedSes, abortSignal: AbortSignal) => Promise<T>): Promise<T> {
      const client = clients.get(region) ?? loadSesClient({ ...settings, region, connections: CONNECTIONS }, options);
      clients.set(region, client);
      const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_MAX_MS), closing.signal]);
      // The chain of credentials looks at no signal; nobody waits for it longer than for an answer.
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return Promise.race([client.then((ses) => work(ses, signal)), late]);
    },
    close() {
      closing.abort(new Error('closed'));
      closing = new AbortController();
      for (const client of clients.values()) void client.then((ses) => ses.client.destroy());
      clients.clear();
    },
  };
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** With a key of ours the one token is its selector; keys of SES have three (page "DkimAttributes"). */
function lookOf({ VerifiedForSendingStatus, DkimAttributes = {} }: GetEmailIdentityResponse) {
  const { Status = 'NOT_STARTED', Tokens = [], SigningAttributesOrigin, SigningEnabled } = DkimAttributes;
  const isVerified = VerifiedForSendingStatus === true && Status === 'SUCCESS' && SigningEnabled !== false;
  const status = isVerified ? 'verified' : Status === 'FAILED' ? 'failed' : 'pending';
  return {
    status: status as 'verified' | 'failed' | 'pending', // the narrow type of the conditions above
    takesMail: VerifiedForSendingStatus === true,
    selector: SigningAttributesOrigin === 'EXTERNAL' ? (Tokens[0] ?? null) : null,
    words: `DKIM ${Status}, sending ${VerifiedForSendingStatus === true ? 'allowed' : 'not allowed'}`,
  };
}
