import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/api-error.ts';

const RETRIES = 3;

/** Reads are repeated when nobody knows the answer. The server would refuse again whatever it has refused. */
export function shouldRetryRead(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || failures >= RETRIES) return false;
  return error.kind === 'network' || error.status === 502 || error.status === 503 || error.status === 504;
}

/** 1, 2 and 4 seconds; the server's own wish when it names one. */
export function retryDelayMs(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return Math.min((asked ?? 2 ** failures) * 1000, 30_000);
}

/** Writes are never repeated by themselves: a lost answer may have been a success. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: shouldRetryRead,
        retryDelay: retryDelayMs,
        staleTime: 5_000,
        gcTime: 10 * 60_000,
        // The browser's word about being online is often wrong (a server on this machine needs no network).
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
