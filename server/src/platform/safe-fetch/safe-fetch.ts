import { AppError } from '../errors/app-error.ts';

/** One request to an address that somebody else chose. */
export interface SafeRequest {
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** For everything together: name look-up, connection, TLS, answer. */
  timeoutMs: number;
  /** The rest of a longer answer is not read. */
  bodyBytesMax: number;
  signal?: AbortSignal;
}

/** What became of it. It never rejects: everything that can happen to a request is one of these. */
export type SafeAnswer =
  /** Whatever the status: redirects are answers too, and are never followed. */
  | {
      kind: 'answered';
      status: number;
      statusText: string;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      body: Buffer;
      truncated: boolean;
      tookMs: number;
    }
  /** Not sent: the address is not one that we may reach. `reason` may be shown to anyone. */
  | { kind: 'blocked'; reason: string; tookMs: number }
  /** Sent or not, no answer came: time is up, no connection, bad TLS, a broken answer, aborted. */
  | { kind: 'failed'; reason: string; tookMs: number };

/**
 * The only way to a URL that a customer can influence (webhooks, certificates, logos). A name is resolved once, every
 * address it has is judged, and the connection goes to a judged address; redirects are not followed.
 */
export interface SafeFetch {
  /**
   * Judges a URL before it is stored: throws validation_error (422, `param`) for one that could never be reached. A name
   * that cannot be resolved now may be resolved later, and passes. Returns the URL in its canonical form.
   */
  checkUrl(url: string, param: string): Promise<string>;
  request(url: string, request: SafeRequest): Promise<SafeAnswer>;
  close(): Promise<void>;
}

export interface SafeFetchOptions {
  /** CIDRs that may be reached although they are not public, over http and on any port. */
  allow: readonly string[];
  /**
   * Development on one machine (nothing leaves it, nobody else reaches it, no `allow`): the addresses 127.0.0.1 and
   * localhost may be reached, written exactly so, with a port from 1024 that is not one of `ownPorts`.
   */
  development: { ownPorts: readonly number[] } | null;
}

export function createSafeFetch(_options: SafeFetchOptions): SafeFetch {
  return {
    checkUrl: async (_url, param) => {
      throw new AppError('validation_error', 'Not built yet.', { param });
    },
    request: async () => ({ kind: 'failed', reason: 'not built yet', tookMs: 0 }),
    close: async () => undefined,
  };
}
