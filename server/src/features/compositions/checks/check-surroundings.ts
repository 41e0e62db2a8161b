import type { Finding } from '#mail/list-mail/finding.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Composition } from '../composition.ts';

/**
 * A law of some countries, and a sender knows whether it is one of theirs: it must not stop a first mail to friends.
 */
export const checkPostalAddress = ({ frame: { postalAddress }, names }: Composition): Finding =>
  postalAddress === null || postalAddress.trim() === ''
    ? {
        id: 'postal_address',
        level: 'warning',
        message: `The ${names.list} has no postal address for the footer. The law asks for one in commercial email (CAN-SPAM in the USA).`,
      }
    : { id: 'postal_address', level: 'ok', message: 'The footer shows a postal address.' };

/** Links that lead to the reader's own machine are worse than none; where nothing leaves this one, they do no harm. */
export function checkPublicUrl({ publicUrl, dashboardUrl, providerUrl }: Settings): Finding {
  const id = 'public_url';
  for (const [name, url] of [
    ['POSTHORN_PUBLIC_URL', publicUrl],
    ['POSTHORN_DASHBOARD_URL', dashboardUrl],
  ] as const) {
    const { hostname, protocol } = new URL(url);
    if (/^(?:localhost|.*\.localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(hostname)) {
      const level = providerUrl.startsWith('capture:') ? 'warning' : 'error';
      return { id, level, message: `Links lead to ${url}, which nobody else can open. Set ${name}.` };
    }
    if (protocol !== 'https:') {
      return { id, level: 'warning', message: `Links lead to ${url}. One-click unsubscribe needs https: set ${name}.` };
    }
  }
  return { id, level: 'ok', message: `Links lead to ${dashboardUrl}.` };
}
