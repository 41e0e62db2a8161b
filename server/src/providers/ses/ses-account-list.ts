import { createRegionCalls, isNamed } from './region-calls.ts';
import type { SesClientOptions } from './ses-client.ts';
import type { SesSettings } from './ses-settings.ts';

/** The suppression list of the account, of which each region has one of its own. */
export function createSesAccountList(settings: SesSettings, options: SesClientOptions = {}) {
  const { within, close } = createRegionCalls(settings, options);
  return {
    /** Page "DeleteSuppressedDestination". An address that is not on the list is no failure. */
    remove: ({ region, email }: { region: string; email: string }): Promise<void> =>
      within(region, async ({ sdk, client }, abortSignal) => {
        try {
          await client.send(new sdk.DeleteSuppressedDestinationCommand({ EmailAddress: email }), { abortSignal });
        } catch (error) {
          if (!isNamed(error, 'NotFoundException')) throw error;
        }
      }),
    close,
  };
}
