import { askForFirstPage } from './first-page.ts';
import { connection } from './lib/connection.ts';
import { turn } from './turn.ts';
import { showLoadFailure } from './load-failure.ts';
import { saySlowStart } from './slow-start.ts';

// After an update of the server, the chunks of the old build are gone. One reload gets the new one. Without a
// connection a reload would put the browser's own page in the place of ours; `connection.load` waits then.
const RELOADED = 'posthorn.reloaded';
let isReloading = false;
async function reloadOnce(): Promise<void> {
  if (!(await connection.doubted())) return;
  const before = Number(sessionStorage.getItem(RELOADED));
  if (Date.now() - before < 60_000) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  isReloading = true;
  window.location.reload();
}
window.addEventListener('vite:preloadError', () => void reloadOnce());

// Vite takes a sheet that is in the page for loaded, also when it failed.
window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove();
  },
  true,
);

// This file is small and runs first: the answers travel beside the code that shows them. The server marks the pages
// outside of the sign-in.
if (!document.body.classList.contains('outside')) void askForFirstPage(window.location);
saySlowStart();

// First React, then the libraries of data and of parts, then the frame, which `start.tsx` needs: each is evaluated in a
// turn of its own, and a phone answers a touch in between.
void turn()
  .then(() => connection.load(() => import('react-dom/client')))
  .then(turn)
  .then(() => connection.load(() => import('./api/query-client.ts')))
  .then(turn)
  .then(() => connection.load(() => import('./app/theme.ts')))
  .then(turn)
  .then(() => connection.load(() => import('./app/shell/Shell.tsx')))
  .then(turn)
  .then(() => connection.load(() => import('./start.tsx')))
  .catch((error: unknown) => {
    if (!isReloading) showLoadFailure();
    throw error; // into the console of the browser
  });

// The first formatter of a page reads the languages and zones of the browser: 25 to 40 ms in one piece, the longest of
// all that a page does at once. A worker does it beside the page; without one, whoever formats first does.
setTimeout(() => new Worker(new URL('./first-formatter.ts', import.meta.url), { type: 'module' }));
