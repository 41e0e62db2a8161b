import type { ImportOptions } from '#features/transfers';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../../newsletter.ts';

/** Without a consent and without a question, people of a list with double opt-in would wait for nothing. */
export function requireConsentOrMail(newsletter: Newsletter, options: ImportOptions): void {
  if (!newsletter.doubleOptIn || options.alreadyConfirmed || options.sendConfirmation) return;
  throw unacceptable(
    'consent',
    'consent is required, because this newsletter asks for confirmation: add consent=already_confirmed if everybody ' +
      'in the file has agreed, or send_confirmation=true to ask them.',
  );
}
