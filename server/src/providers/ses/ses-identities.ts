import type { GetEmailIdentityResponse } from '@aws-sdk/client-sesv2';
import { createRegionCalls, isNamed } from './region-calls.ts';
import type { SesClientOptions } from './ses-client.ts';
import type { SesSettings } from './ses-settings.ts';

interface Name {
  domain: string;
  region: string;
}

/**
 * Domains as identities of the account, with keys of ours ("bring your own DKIM"): SES signs with them. Each call goes
 * to the region of the domain, ends within ten seconds, and rejects with the error of the SDK.
 */
export function createSesIdentities(settings: SesSettings, options: SesClientOptions = {}) {
  const { within, close } = createRegionCalls(settings, options);
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

/** With a key of ours the one token is its selector; keys of SES have three (page "DkimAttributes"). */
function lookOf({ VerifiedForSendingStatus, DkimAttributes = {} }: GetEmailIdentityResponse) {
  const { Status = 'NOT_STARTED', Tokens = [], SigningAttributesOrigin, SigningEnabled } = DkimAttributes;
  const isVerified = VerifiedForSendingStatus === true && Status === 'SUCCESS' && SigningEnabled !== false;
  const status = isVerified ? 'verified' : Status === 'FAILED' ? 'failed' : 'pending';
  return {
    status: status as 'verified' | 'failed' | 'pending', // the narrow type of the conditions above
    takesMail: VerifiedForSendingStatus === true,
    dkim: Status,
    selector: SigningAttributesOrigin === 'EXTERNAL' ? (Tokens[0] ?? null) : null,
    words: `DKIM ${Status}, sending ${VerifiedForSendingStatus === true ? 'allowed' : 'not allowed'}`,
  };
}
