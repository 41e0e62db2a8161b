import '@fontsource-variable/inter/wght.css';
import './ui/mantine.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App, findFirstPage, prepareApp } from './app/App.tsx';
import { pageNonce } from './lib/nonce.ts';
import { turn } from './turn.ts';

// `react-remove-scroll` inserts a style element and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root');
const root = createRoot(element);
// Each step in a turn of its own. A transition is drawn in short turns, and what the store of the router changes is
// drawn in one: so the router finds its page first.
async function start(): Promise<void> {
  await turn();
  const state = prepareApp();
  await turn();
  await findFirstPage(state).catch(() => undefined); // the page itself finds it once more, and says what is wrong
  startTransition(() => {
    root.render(
      <StrictMode>
        <App {...state} />
      </StrictMode>,
    );
  });
}

void start();
