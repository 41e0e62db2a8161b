import { type Html, html } from '#platform/html/html.ts';
import type { PageContext } from './page-context.ts';

/** The widget of the service that the settings name, which adds its field to the form around it. */
export function proofWidget({ proof, locale, embedded }: PageContext): Html | null {
  if (proof === null) return null;
  const { widgetClass, scriptIn } = proof.service;
  const theme = embedded === null || embedded.theme === 'auto' ? null : html` data-theme="${embedded.theme}"`;
  return html`<div class="proof"><div class="${widgetClass}" data-sitekey="${proof.siteKey}" data-language="${locale.language}"${theme}></div>
<noscript><p class="problem">${locale.messages.pages.proofNeedsScript}</p></noscript>
<script src="${scriptIn(locale.language)}" async defer></script></div>
`;
}
