import { type Html, html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { show } from './show.ts';
import type { ReaderContext } from '../reader-context.ts';
import { maskedEmail } from '#platform/pages/masked-email.ts';
import { sayHtml } from '#platform/pages/say-html.ts';

/** The result of the button that was pressed. */
export interface Notice {
  saved?: boolean;
  /** The name that was typed is none. */
  problem?: 'name_invalid';
  /** Whether the email with the link to one's own data went out. */
  data?: 'sent' | 'unsent';
}

export interface Preferences extends Notice {
  /**
   * The address of the link. It is posted to with `action` save (and `name`), unsubscribe, undo, everywhere, data,
   * or the name of an action and the id of another list of theirs: leave:<id>, rejoin:<id>.
   */
  action: string;
  /** Shown masked: a mail with the link may have been forwarded. */
  email: string;
  name: string | null;
  status: 'pending' | 'active' | 'unsubscribed';
  workspaceName: string;
  /** Whether an unsubscribe can still be undone. */
  mayUndo: boolean;
  /** The other lists of the workspace that the address is or was on. */
  others?: readonly OtherList[];
}

export interface OtherList {
  subscriberId: string;
  newsletterName: string;
  isOn: boolean;
  mayRejoin: boolean;
}

/** The fields that a person may change in their own subscription. */
export function preferencesPage(context: ReaderContext, preferences: Preferences): Answer {
  const { brand, locale, formAt } = context;
  const { pages } = locale.messages;
  const { status, problem, action } = preferences;
  const button = (value: string, label: Html | string): Html =>
    html`<form method="post" action="${action}">
<button class="second" type="submit" name="action" value="${value}">${label}</button>
</form>`;
  const ways = {
    active: () => button('unsubscribe', pages.unsubscribeButton),
    pending: () => button('unsubscribe', pages.unsubscribeButton),
    unsubscribed: () =>
      preferences.mayUndo
        ? button('undo', pages.undoButton)
        : formAt === null
          ? null
          : html`<p><a class="row" href="${formAt}">${pages.subscribeAgainLink}</a></p>`,
  };
  const states = { active: pages.statusActive, pending: pages.statusPending, unsubscribed: pages.statusUnsubscribed };
  return show(context, {
    title: pages.preferencesTitle,
    status: statusOf(preferences),
    content: html`${preferences.saved === true ? html`<p class="done" role="status">${pages.savedText}</p>` : null}
${problem === undefined ? null : html`<p class="alert" role="alert">${pages.problemTitle}</p>`}
${dataNotice(context, preferences)}
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
<p>${sayHtml(states[status], { newsletter: brand.name })}</p>
${ways[status]()}
</div>
${others(context, preferences, button)}
${everywhere(context, preferences, button)}
<div class="more">
<h2>${pages.dataTitle}</h2>
<p class="quiet">${sayHtml(pages.dataText, { workspace: preferences.workspaceName, email: maskedEmail(preferences.email) })}</p>
${button('data', pages.dataButton)}
</div>`,
  });
}

const statusOf = ({ problem, data }: Notice): number => {
  if (problem !== undefined) return 400;
  return data === 'unsent' ? 422 : 200;
};

function dataNotice(context: ReaderContext, { data, email, workspaceName }: Preferences): Html | null {
  const { pages } = context.locale.messages;
  const shown = { email: maskedEmail(email) };
  if (data === 'sent') return html`<p class="done" role="status">${sayHtml(pages.dataSentText, shown)}</p>`;
  if (data === undefined) return null;
  const said = sayHtml(pages.dataUnsentText, { ...shown, workspace: workspaceName });
  return html`<p class="alert" role="alert">${said}</p>`;
}

type Button = (value: string, label: Html | string) => Html;

function others(
  context: ReaderContext,
  { others: lists = [], workspaceName }: Preferences,
  button: Button,
): Html | null {
  if (lists.length === 0) return null;
  const { pages } = context.locale.messages;
  const ofList = ({ subscriberId, newsletterName, isOn, mayRejoin }: OtherList): Html[] => {
    const label = sayHtml(isOn ? pages.leaveOtherButton : pages.rejoinButton, { newsletter: newsletterName });
    return isOn || mayRejoin ? [button(`${isOn ? 'leave' : 'rejoin'}:${subscriberId}`, label)] : [];
  };
  return html`<div class="more">
<h2>${sayHtml(pages.othersTitle, { workspace: workspaceName })}</h2>
${lists.flatMap(ofList)}
</div>`;
}

/** Only while there is more than one list to leave. */
function everywhere(context: ReaderContext, preferences: Preferences, button: Button): Html | null {
  const { others: lists = [], workspaceName } = preferences;
  if (!lists.some(({ isOn }) => isOn)) return null;
  const { pages } = context.locale.messages;
  return html`<div class="more">
<p class="quiet">${sayHtml(pages.everywhereText, { workspace: workspaceName })}</p>
${button('everywhere', pages.everywhereButton)}
</div>`;
}
