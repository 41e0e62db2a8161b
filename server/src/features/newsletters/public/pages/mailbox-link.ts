import { type Html, html } from '#platform/html/html.ts';
import { sayHtml } from '#platform/pages/say-html.ts';
import type { PageContext } from './page-context.ts';

/** The pages at which people read the mail of these domains. Nothing is asked of them: a person follows the link. */
const MAILBOXES: readonly (readonly [name: string, address: string, domains: RegExp])[] = [
  ['Gmail', 'https://mail.google.com/mail/', /^(?:gmail|googlemail)\.com$/],
  ['Outlook', 'https://outlook.live.com/mail/', /^(?:outlook|hotmail|live|msn)\.[a-z]{2,3}(?:\.[a-z]{2})?$/],
  [
    'Yahoo Mail',
    'https://mail.yahoo.com/',
    /^(?:yahoo\.(?!co\.jp$)[a-z]{2,3}(?:\.[a-z]{2})?|(?:myyahoo|ymail|rocketmail)\.com)$/,
  ],
  ['iCloud Mail', 'https://www.icloud.com/mail', /^(?:icloud|me|mac)\.com$/],
  ['Proton Mail', 'https://mail.proton.me/', /^(?:proton\.me|pm\.me|protonmail\.(?:com|ch))$/],
  ['GMX', 'https://www.gmx.net/', /^gmx\.(?:net|de|at|ch)$/],
  ['WEB.DE', 'https://web.de/', /^web\.de$/],
  ['HEY', 'https://app.hey.com/', /^hey\.com$/],
];

/** A link to the mailbox of a person whose mail is at one of the large services. In its own tab, also from a frame. */
export function mailboxLink({ locale }: PageContext, email: string): Html | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const [name, address] = MAILBOXES.find(([, , domains]) => domains.test(domain)) ?? [];
  if (name === undefined || address === undefined) return null;
  const label = sayHtml(locale.messages.pages.openMailboxLink, { mailbox: name });
  return html`<p><a class="button" href="${address}" target="_blank" rel="noopener noreferrer">${label}</a></p>\n`;
}
