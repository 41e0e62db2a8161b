import '@fontsource-variable/inter/wght.css';
import './ui/mantine.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { pageNonce } from './lib/nonce.ts';

// After an update of the server, the chunks of the old build are gone. One reload gets the new one.
const RELOADED = 'posthorn.reloaded';
window.addEventListener('vite:preloadError', () => {
  const before = Number(sessionStorage.getItem(RELOADED));
  if (Date.now() - before < 60_000) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
});

// `react-remove-scroll` inserts a style element and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
