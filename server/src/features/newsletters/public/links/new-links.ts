import { show, strangerContext } from '#features/reader-pages';
import { readAddress } from '#mail/addresses/read-address.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { type Html, html } from '#platform/html/html.ts';
import type { Ctx } from '#platform/http/context.ts';
import { headerOf, type Visitor } from '#platform/http/visitor.ts';
import type { Settings } from '#platform/config/settings.ts';
import { inEvenTime } from '#platform/pages/even-time.ts';
import { selectNewsletter } from '../../queries.ts';
import { resendConfirmation } from '../../subscribers/confirmation/resend-confirmation.ts';
import { countNewLinks } from '../limits/public-limits.ts';
import { reloadable } from '../pages/reloadable.ts';
import { listPendingOfAddress } from './pending-queries.ts';

/** An address is sent three confirmation emails an hour; the rest are rows whose newsletter can send none just now. */
const SIGN_UPS_MAX = 10;

/**
 * The button behind a link whose newsletter nobody knows: sends a new link for each pending sign-up of the address,
 * the newest first, whatever newsletter it is for. Neither the answer nor its time tells whether there is one. Throws
 * 400 for no address, and 429 for one address too often.
 */
export async function pressNewLinks(ctx: Ctx, visitor: Visitor, typed: string) {
  const { identity } = readAddress(typed);
  await inEvenTime(ctx.clock, async () => {
    await countNewLinks(ctx, identity);
    for (const row of await listPendingOfAddress(ctx.db, identity, SIGN_UPS_MAX)) {
      const newsletter = await selectNewsletter(ctx.db, row.workspaceId, row.newsletterId);
      if (newsletter?.signupEnabled !== true) continue;
      const within = { ...ctx, workspaceId: row.workspaceId };
      // Too many emails, a paused workspace or no sender: the answer is the same as for everybody.
      await resendConfirmation(within, newsletter, row, { via: 'public' }).catch(ignoreRefusal);
    }
  });
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

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
