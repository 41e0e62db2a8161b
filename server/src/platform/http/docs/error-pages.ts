import { ERROR_GUIDE } from '../../errors/error-guide.ts';
import { html, type Html, trusted } from '../../html/html.ts';

const code = (text: string): Html =>
  trusted(
    html`${text}`.text.replace(/`([^`]+)`/g, '<code>$1</code>'), // the text is escaped first; only the backticks become markup
  );

/** The page behind every `documentation` link: one section, with its name as anchor, per error name. */
export function errorsPage(): string {
  const sections = Object.entries(ERROR_GUIDE).map(
    ([name, guide]) => html`
      <section id="${name}">
        <h2><a href="#${name}">${name}</a> <small>${guide.http}</small></h2>
        <p>${code(guide.when)}</p>
        <p><b>Try again?</b> ${code(guide.retry)}</p>
      </section>`,
  );
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Errors · Posthorn</title>
    <style>
      :root { color-scheme: light dark; }
      body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
      h2 { font-size: 1.15rem; margin: 2rem 0 .3rem; }
      h2 a { color: inherit; text-decoration: none; }
      small { font-weight: normal; opacity: .7; }
      code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
      pre { overflow-x: auto; }
      section:target { outline: 2px solid; outline-offset: .6rem; }
    </style>
  </head>
  <body>
    <h1>Errors</h1>
    <p>Every answer that is not 2xx has this body. Branch on <code>name</code>: it never changes for a class of error; the wording of <code>message</code> may.</p>
    <pre><code>{
  "statusCode": 422,
  "name": "validation_error",
  "message": "…",
  "param": "from",
  "requestId": "req_…",
  "documentation": "…/docs/errors#validation_error"
}</code></pre>
    <p>Give the <code>requestId</code> when you report a problem; it is also in the header <code>X-Request-ID</code>.</p>
    ${sections}
    <p><a href="/docs">API reference</a></p>
  </body>
</html>
`.text;
}
