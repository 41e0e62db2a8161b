import { type Html, html } from '#platform/html/html.ts';
import { iconAddress } from '#platform/pages/icon.ts';

/** The parts that the pages behind our mails share: readable on a phone, in the dark, without scripts or pictures. */
export const layout = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} · Posthorn</title>
    <link rel="icon" type="image/svg+xml" href="${iconAddress(null)}">
    <style>
      :root { color-scheme: light dark; --ground: #f3f4f6; --card: #fff; --text: #1b1f24; --quiet: #57606a;
        --line: #8c959f; --action: #1d5bbf; --on-action: #fff; }
      @media (prefers-color-scheme: dark) {
        :root { --ground: #15181c; --card: #1f242a; --text: #e7eaee; --quiet: #a5aeb8;
          --line: #6e7781; --action: #8ab8ff; --on-action: #0b1a30; }
      }
      * { box-sizing: border-box; }
      body { margin: 0; padding: 1rem; background: var(--ground); color: var(--text);
        font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
      main { max-width: 26rem; margin: 8vh auto 0; padding: 1.5rem; background: var(--card); border-radius: .75rem; }
      h1 { margin: 0 0 .75rem; font-size: 1.4rem; line-height: 1.25; }
      p { margin: 0 0 1rem; }
      a { color: var(--action); }
      label { display: block; margin-bottom: .25rem; font-weight: 600; }
      small { display: block; margin-top: .25rem; color: var(--quiet); font-size: .875rem; }
      .field { margin-bottom: 1rem; }
      input { width: 100%; padding: .6rem .7rem; border: 1px solid var(--line); border-radius: .4rem;
        background: var(--card); color: inherit; font: inherit; }
      input[readonly] { background: var(--ground); }
      button { width: 100%; padding: .7rem 1rem; border: 0; border-radius: .4rem; background: var(--action);
        color: var(--on-action); font: inherit; font-weight: 600; cursor: pointer; }
      main > :last-child { margin-bottom: 0; }
      :focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
      footer { max-width: 26rem; margin: 1rem auto; color: var(--quiet); font-size: .875rem; text-align: center; }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
    <footer>Posthorn</footer>
  </body>
</html>
`.text;

/**
 * The token goes on in a hidden field and nowhere else: not into an address, where histories and logs would keep it.
 */
export const tokenField = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`;

export const passwordField = (field: {
  label: string;
  autocomplete: 'new-password' | 'current-password';
  charsMin: number;
  charsMax: number;
  hint: string;
}): Html => html`<div class="field">
        <label for="password">${field.label}</label>
        <input id="password" name="password" type="password" required minlength="${field.charsMin}"
          maxlength="${field.charsMax}" autocomplete="${field.autocomplete}" aria-describedby="password-hint">
        <small id="password-hint">${field.hint}</small>
      </div>`;
