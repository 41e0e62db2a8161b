import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { setUpClient } from '../api/client-config.ts';
import { client } from '../api/generated/client.gen.ts';
import { createQueryClient } from '../api/query-client.ts';
import { lazyPart } from '../lib/lazy-part.tsx';
import { pageNonce } from '../lib/nonce.ts';
import { pb } from '../lib/paths.ts';
import { firstPageIsDrawn } from '../lib/use-second-turn.ts';
import { HintPlace } from '../ui/hint/HintPlace.tsx';
import { colours } from './colours.ts';
import { type AppRouter, askForPage, createAppRouter } from './routes.tsx';
import { theme } from './theme.ts';

const Toasts = lazyPart(() => import('./Toasts.tsx').then((file) => file.Toasts));
/** No page shows a toast at first. One that comes earlier waits for its place. */
const TOASTS_MS = 1_000;

export interface AppState {
  queries: QueryClient;
  router: AppRouter;
}

/** The data and the map of the app. */
export function prepareApp(): AppState {
  setUpClient(client);
  const queries = createQueryClient(onSignedOut);
  const router = createAppRouter(queries);
  return { queries, router };

  /** The session has ended: the sign-in page keeps the place. The data stay private to the person who read them. */
  function onSignedOut(): void {
    const { pathname, href } = router.state.location;
    if (pathname === '/sign-in' || pathname === '/forgot-password') return;
    queries.clear();
    router.history.push(pb.signIn(href));
  }
}

/** Finds the page of the address: its files, and the session. A failure is a page, too. */
export async function findFirstPage({ queries, router }: AppState): Promise<void> {
  askForPage(router, queries);
  await router.load({ sync: true });
}

export function App({ queries, router }: AppState) {
  useEffect(firstPageIsDrawn, []);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colours}
      getStyleNonce={pageNonce}
      deduplicateCssVariables={false} // no sheet has them: `ui/mantine.css`
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <LaterToasts />
        <HintPlace />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function LaterToasts() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), TOASTS_MS);
    return () => clearTimeout(timer);
  }, []);
  return isShown && <Toasts />;
}
