import { html } from '#platform/html/html.ts';
import type { PageOptions } from '#platform/http/page.ts';
import { iconAddress } from '#platform/pages/icon.ts';

/** For a link that we did not make, or that lost letters on its way. Nothing of what was asked for is shown. */
export const brokenLink: PageOptions = {
  failure: ({ status, requestId }) =>
    html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>This link does not work</title>
    <link rel="icon" type="image/svg+xml" href="${iconAddress(null)}">
    <style>
      :root { color-scheme: light dark; }
      body { max-width: 26rem; margin: 12vh auto 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
      h1 { font-size: 1.4rem; }
    </style>
  </head>
  <body>
    <main>
      <h1>This link does not work</h1>
      <p>${
        status >= 500
          ? html`Something went wrong here. Try again in a moment; if it stays, report ${requestId}.`
          : 'It is not complete. Open it in the mail again, or copy all of it.'
      }</p>
    </main>
  </body>
</html>
`.text,
};
