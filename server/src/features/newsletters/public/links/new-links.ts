import { show, strangerContext, reloadable } from '#features/reader-pages';
import { readAddress } from '#mail/addresses/read-address.ts';
import { type Html, html } from '#platform/html/html.ts';
import type { Ctx } from '#platform/http/context.ts';
import { headerOf, type Visitor } from '#platform/http/visitor.ts';
import type { Settings } from '#platform/config/settings.ts';
import { countNewLinks } from '../limits/public-limits.ts';
import type { NewLinks } from './send-new-links.ts';

/**
 * The button behind a link whose newsletter nobody knows: asks for a new link for each pending sign-up of the address.
 * Neither the answer nor its time tells whether there is one: the links are made after the answer. Throws 400 for no
 * address, and 429 for one address too often.
 */
export async function pressNewLinks(ctx: Ctx, newLinks: NewLinks, visitor: Visitor, typed: string) {
  const { identity } = readAddress(typed);
  await countNewLinks(ctx, identity);
  newLinks.ask(identity);
  return reloadable(visitor, actionOf(ctx.settings), followNewLinks(ctx, visitor));
}

/** The page that the button leads to: the same for everybody. */
export function followNewLinks(ctx: Pick<Ctx, 'settings'>, visitor: Visitor) {
  const context = strangerContext(headerOf(visitor, 'accept-language'));
  const { pages } = context.locale.messages;
  return show(context, {
    title: pages.checkInboxTitle,
    content: html`<p class="quiet" role="status">${pages.checkInboxHint}</p>
${newLinksForm(ctx.settings, { label: pages.sendAgainButton, emailLabel: pages.emailLabel })}`,
  });
}

/** Asks for the address, and posts it as `email`. */
export const newLinksForm = (
  settings: Pick<Settings, 'dashboardUrl'>,
  { label, emailLabel }: { label: string; emailLabel: string },
): Html =>
  html`<form method="post" action="${actionOf(settings)}" accept-charset="utf-8">
<div class="field">
<label for="email">${emailLabel}</label>
<input id="email" name="email" type="email" required maxlength="320" autocomplete="email" inputmode="email">
</div><button type="submit">${label}</button>
</form>`;

const actionOf = ({ dashboardUrl }: Pick<Settings, 'dashboardUrl'>): string =>
  `${new URL(dashboardUrl).pathname.replace(/\/+$/, '')}/api/n/confirm/resend`;
