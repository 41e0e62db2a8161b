import { Answer } from '../http/route.ts';

/**
 * For the page around a frame of ours: it gives every such frame the height of what is in it. A message counts only
 * when it comes from our own origin, out of a frame of the page, and is a number; nothing of it is ever run or shown.
 */
const SCRIPT = `(() => {
  const origin = new URL(document.currentScript.src).origin;
  const frames = () => [...document.querySelectorAll('iframe')].filter(frame => frame.src.startsWith(origin + '/'));
  addEventListener('message', event => {
    const height = event.data && event.data.posthornHeight;
    if (event.origin !== origin || !Number.isFinite(height)) return;
    const frame = frames().find(one => one.contentWindow === event.source);
    if (frame) frame.style.height = Math.min(Math.max(height, 40), 2000) + 'px';
  });
  for (const frame of frames()) frame.contentWindow.postMessage('posthorn-height', '*');
})();
`;

export const embedScript = (): Answer =>
  new Answer(SCRIPT, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
  });
