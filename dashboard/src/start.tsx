import '@fontsource-variable/inter/wght.css';
import './ui/mantine.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App, prepareApp } from './app/App.tsx';
import { pageNonce } from './lib/nonce.ts';

// `react-remove-scroll` inserts a style element and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root');
const root = createRoot(element);
// In a turn of its own, as the evaluation of this file. A transition is drawn in short turns.
setTimeout(() => {
  const state = prepareApp();
  startTransition(() => {
    root.render(
      <StrictMode>
        <App {...state} />
      </StrictMode>,
    );
  });
});
