import { html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { show } from './layout.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks, tokenLink } from './page-links.ts';
import { maskedEmail, sayHtml } from './say-html.ts';

export interface Preferences {
  /** `nl_prefs`: its address is posted to with `action` save (and `name`), unsubscribe, undo or everywhere. */
  token: string;
  /** Shown masked: a mail with the link may have been forwarded. */
  email: string;
  name: string | null;
  status: 'pending' | 'active' | 'unsubscribed';
  workspaceName: string;
  /** Whether an unsubscribe can still be undone. */
  mayUndo: boolean;
  saved?: boolean;
  /** The name that was typed is none. */
  problem?: 'name_invalid';
}

/** What somebody may change about their own subscription. */
export function preferencesPage(context: PageContext, preferences: Preferences): Answer {
  const { newsletter, locale } = context;
  const { pages } = locale.messages;
  const { status, problem } = preferences;
  const action = tokenLink(context, 'nl_prefs', preferences.token);
  const button = (value: string, label: string) =>
    html`<form method="post" action="${action}">
<button class="second" type="submit" name="action" value="${value}">${label}</button>
</form>`;
  const ways = {
    active: () => button('unsubscribe', pages.unsubscribeButton),
    pending: () => button('unsubscribe', pages.unsubscribeButton),
    unsubscribed: () =>
      preferences.mayUndo
        ? button('undo', pages.undoButton)
        : html`<p><a class="row" href="${pageLinks(context).subscribe}">${pages.subscribeAgainLink}</a></p>`,
  };
  const states = { active: pages.statusActive, pending: pages.statusPending, unsubscribed: pages.statusUnsubscribed };
  return show(context, {
    title: pages.preferencesTitle,
    status: problem === undefined ? 200 : 400,
    content: html`${preferences.saved === true ? html`<p class="done" role="status">${pages.savedText}</p>` : null}
${problem === undefined ? null : html`<p class="alert" role="alert">${pages.problemTitle}</p>`}
<form method="post" action="${action}" accept-charset="utf-8">
<div class="field">
<label for="email">${pages.addressLabel}</label>
<input id="email" type="text" value="${maskedEmail(preferences.email)}" readonly>
</div>
<div class="field">
<label for="name">${pages.nameLabel}</label>
<input id="name" name="name" type="text" value="${preferences.name}" maxlength="64" autocomplete="name"${problem === undefined ? null : html` aria-invalid="true" aria-describedby="name-problem" autofocus`}>
${problem === undefined ? null : html`<p class="problem" id="name-problem">${pages.nameInvalid}</p>`}
</div>
<button type="submit" name="action" value="save">${pages.saveButton}</button>
</form>
<div class="more">
<p>${sayHtml(states[status], { newsletter: newsletter.name })}</p>
${ways[status]()}
</div>
<div class="more">
<p class="quiet">${sayHtml(pages.everywhereText, { workspace: preferences.workspaceName })}</p>
${button('everywhere', pages.everywhereButton)}
</div>`,
  });
}
