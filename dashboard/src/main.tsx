import '@fontsource-variable/inter/wght.css';
import './ui/mantine.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { connection } from './lib/connection.ts';
import { pageNonce } from './lib/nonce.ts';

// After an update of the server, the chunks of the old build are gone. One reload gets the new one. Without a
// connection a reload would put the browser's own page in the place of ours; `connection.load` waits then.
const RELOADED = 'posthorn.reloaded';
async function reloadOnce(): Promise<void> {
  if (!(await connection.doubted())) return;
  const before = Number(sessionStorage.getItem(RELOADED));
  if (Date.now() - before < 60_000) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
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

// `react-remove-scroll` inserts a style element and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
