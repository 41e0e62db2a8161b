import { html } from '#platform/html/html.ts';
import type { Answer } from '#platform/http/route.ts';
import { show } from './show.ts';
import type { ReaderContext } from '../reader-context.ts';
import { maskedEmail } from '#platform/pages/masked-email.ts';
import { sayHtml } from '#platform/pages/say-html.ts';

/** The actions that a person may take on their own records. Posts `action` export or erase to the address `action`. */
export function dataPage(context: ReaderContext, of: { action: string; email: string; workspaceName: string }): Answer {
  const { pages } = context.locale.messages;
  const { action } = of;
  return show(context, {
    title: pages.dataTitle,
    content: html`<p><bdi>${maskedEmail(of.email)}</bdi></p>
<p class="quiet">${sayHtml(pages.exportText, { workspace: of.workspaceName })}</p>
<form method="post" action="${action}">
<button type="submit" name="action" value="export">${pages.exportButton}</button>
</form>
<div class="more">
<p class="quiet">${sayHtml(pages.eraseText, { workspace: of.workspaceName })}</p>
<form method="post" action="${action}">
<button class="second" type="submit" name="action" value="erase">${pages.eraseButton}</button>
</form>
</div>`,
  });
}

/** Before everything is removed: once more, whether it is meant. Posts `action` erase-all. */
export function eraseQuestionPage(context: ReaderContext, asked: { action: string; workspaceName: string }): Answer {
  const { pages } = context.locale.messages;
  const { action } = asked;
  return show(context, {
    title: pages.eraseButton,
    content: html`<p>${sayHtml(pages.eraseText, { workspace: asked.workspaceName })}</p>
<form method="post" action="${action}">
<button type="submit" name="action" value="erase-all">${pages.eraseSure}</button>
</form>
<p><a class="row" href="${action}">${pages.eraseKeep}</a></p>`,
  });
}

export function erasedPage(context: ReaderContext, { workspaceName }: { workspaceName: string }): Answer {
  const { pages } = context.locale.messages;
  const said = sayHtml(pages.erasedText, { workspace: workspaceName });
  return show(context, { title: pages.erasedTitle, content: html`<p role="status">${said}</p>` });
}
