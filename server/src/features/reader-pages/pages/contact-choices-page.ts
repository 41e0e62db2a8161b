import { type Html, html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { maskedEmail } from '#platform/pages/masked-email.ts';
import { sayHtml } from '#platform/pages/say-html.ts';
import type { ReaderContext } from '../reader-context.ts';
import { show } from './show.ts';

/** The mail that a contact gets, and may choose. The brand of the page is the sender. */
export interface ContactChoices {
  /** The address of the link. It is posted to with `action` everywhere, undo, leave:<id of a list> or rejoin:<id>. */
  action: string;
  /** A button led here, and its choice was kept. */
  saved: boolean;
  /** Shown masked: a mail with the link may have been forwarded. */
  email: string;
  /** They want no mail to many at all. */
  hasLeft: boolean;
  /** Leaving altogether can still be undone. */
  mayUndo: boolean;
  lists: readonly { id: string; name: string; isOn: boolean; mayRejoin: boolean }[];
}

/** 200, after every choice too. A visit changes nothing: programs that check mail visit as well. */
export function contactChoicesPage(context: ReaderContext, choices: ContactChoices): Answer {
  const { pages } = context.locale.messages;
  const { email, hasLeft, lists, saved } = choices;
  const said = { email: maskedEmail(email), newsletter: context.brand.name };
  const button = (value: string, label: Html | string, quiet = true): Html =>
    html`<form method="post" action="${choices.action}">
<button${quiet ? html` class="second"` : null} type="submit" name="action" value="${value}">${label}</button>
</form>`;
  const ofList = ({ id, name, isOn, mayRejoin }: ContactChoices['lists'][number]): Html => {
    // A list that was left for good is still named: a person who looks for it must not think that it was forgotten.
    if (!isOn && !mayRejoin) {
      return html`<p class="quiet">${sayHtml(pages.leftListText, { email: said.email, newsletter: name })}</p>`;
    }
    const label = sayHtml(isOn ? pages.leaveOtherButton : pages.rejoinButton, { newsletter: name });
    return button(`${isOn ? 'leave' : 'rejoin'}:${id}`, label);
  };
  return show(context, {
    title: hasLeft ? pages.unsubscribedTitle : pages.preferencesTitle,
    content: html`${saved ? html`<p class="done" role="status">${pages.savedText}</p>` : null}
<p role="status">${sayHtml(hasLeft ? pages.contactOffText : pages.contactOnText, said)}</p>
${
  hasLeft
    ? choices.mayUndo
      ? html`<p class="quiet">${pages.undoText}</p>
${button('undo', pages.undoButton)}`
      : null
    : html`${button('everywhere', pages.everywhereButton, false)}
<div class="more">
${lists.map(ofList)}
</div>`
}`,
  });
}
