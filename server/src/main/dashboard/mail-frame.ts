import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/**
 * The document in which the dashboard shows a mail. A frame with `srcdoc` inherits the policy of the page around it,
 * which applies no inline style, and nearly every mail is made of inline styles. So the frame is a document of ours
 * with a policy of its own (docs/decisions/0081-how-the-dashboard-is-served.md): it is in a sandbox, without an origin
 * and without the cookie, also when somebody opens it by itself. It runs this one script, and nothing of the mail.
 *
 * The page posts `{html}` to it, again for every change. The frame answers `{ready: true}` once and `{height}` whenever
 * its content changes its size. A badge that the dashboard has put beside a link (`data-badge`) is moved to where the
 * right edge does not cut it. Elements that could ask another server by themselves are removed before anything is
 * shown.
 *
 * The document of a frame is never shorter than the frame, so one that fits is measured without the heights that it
 * takes from the frame. When it does not fit then, its length is the least until another mail or width: otherwise a
 * mail that measures less than it needs would become shorter and longer for ever. A mail that is always a little longer
 * than its frame (`100vh` and a margin) grows once.
 */
const SCRIPT = `
'use strict';
const GONE = 'script, link, meta, base, iframe, frame, object, embed, portal';
const show = ({ source, data }) => {
  if (source !== parent || typeof data?.html !== 'string') return;
  const mail = new DOMParser().parseFromString(data.html, 'text/html');
  for (const element of mail.querySelectorAll(GONE)) element.remove();
  for (const link of mail.querySelectorAll('a, area')) {
    // In an SVG these are no properties that can be set.
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  document.open();
  document.write((mail.compatMode === 'CSS1Compat' ? '<!doctype html>' : '') + mail.documentElement.outerHTML);
  document.close();
  addEventListener('message', show);
  addEventListener('resize', tell);
  least = told = 0;
  hasGrown = false;
  tell();
  new ResizeObserver(tell).observe(document.documentElement);
};
const keepInside = () => {
  const badges = [...document.querySelectorAll('[data-badge]')];
  for (const { style } of badges) style.setProperty('display', 'none', 'important');
  const width = document.documentElement.scrollWidth;
  for (const { style } of badges) {
    style.setProperty('display', 'block', 'important');
    style.setProperty('margin', '0', 'important');
  }
  for (const badge of badges) {
    let end = width;
    for (let around = badge.parentElement; around !== null; around = around.parentElement) {
      const isCut = around !== document.body && getComputedStyle(around).overflowX !== 'visible';
      if (isCut) end = Math.min(end, around.getBoundingClientRect().right + scrollX);
    }
    const over = badge.getBoundingClientRect().right + scrollX + 2 - end;
    if (over > 0) badge.style.setProperty('margin-left', -over + 'px', 'important');
  }
};
let least = 0;
let atWidth = 0;
let lastOwn = 0;
let told = 0;
let hasGrown = false;
const ownHeight = () => {
  const { documentElement: root, body } = document;
  const inlineStyles = [root, body].map((element) => element.getAttribute('style'));
  for (const { style } of [root, body]) {
    style.setProperty('height', 'fit-content', 'important');
    style.setProperty('min-height', '0', 'important');
  }
  // In quirks mode, the body scrolls what the frame scrolls.
  const inside = document.compatMode === 'CSS1Compat' ? body.scrollHeight : 0;
  const height = Math.max(inside, Math.ceil(root.getBoundingClientRect().height));
  for (const [at, element] of [root, body].entries()) {
    if (inlineStyles[at] === null) element.removeAttribute('style');
    else element.setAttribute('style', inlineStyles[at]);
  }
  return height;
};
const tell = () => {
  keepInside();
  const { scrollHeight } = document.documentElement;
  const own = ownHeight();
  if (innerWidth !== atWidth) least = 0;
  if (innerWidth !== atWidth || own !== lastOwn) hasGrown = false;
  atWidth = innerWidth;
  lastOwn = own;
  // Otherwise the page has not made the frame as high as it was told.
  const isTried = innerHeight === told;
  if (isTried && scrollHeight > innerHeight && !hasGrown) {
    least = Math.max(least, scrollHeight);
    hasGrown = true;
  }
  told = Math.max(least, own);
  parent.postMessage({ height: told }, '*');
};
addEventListener('message', show);
parent.postMessage({ ready: true }, '*');
`;

const PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Mail</title></head>
  <body><script>${SCRIPT}</script></body>
</html>
`;

const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** `pictures`: those that may be loaded, as the sources of a Content-Security-Policy. */
export const sendMailFrame = (reply: FastifyReply, { pictures }: { pictures: string }): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
        "default-src 'none'",
        `script-src 'sha256-${SCRIPT_HASH}'`,
        "style-src 'unsafe-inline'",
        `img-src ${pictures}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
      ].join('; '),
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'x-robots-tag': 'noindex',
    })
    .send(PAGE);
