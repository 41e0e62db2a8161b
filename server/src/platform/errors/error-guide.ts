import type { ErrorName } from './error-table.ts';

/** A caller's guide to one error name: shown at /docs/errors, where every `documentation` link leads. */
export interface ErrorGuide {
  http: string;
  when: string;
  retry: string;
}

export const ERROR_GUIDE: Readonly<Record<ErrorName, ErrorGuide>> = {
  authentication_error: {
    http: '401',
    when: 'The API key or token is missing, malformed, expired or revoked, the caller’s address is not on the key’s list, or two different keys were given.',
    retry: 'No. Use a good key.',
  },
  permission_error: {
    http: '403',
    when: 'The caller is known but may not do this: the key lacks a scope or may not use the domain, the role does not allow it, a cap of the domain is reached, or the edition does not offer it.',
    retry: 'No. The message names what is missing, or when a cap resets.',
  },
  validation_error: {
    http: '400 or 422',
    when: '400: the request cannot be read, a field is missing, of the wrong type or badly formed. 422: it is well-formed but not acceptable, such as a sender whose domain is not verified. `param` names the field; `details` lists all faults when there are several, of whatever kind they are: the first 20, or 100 for a batch of suppressions.',
    retry: 'No. Correct the request first.',
  },
  not_found_error: {
    http: '404',
    when: 'There is no such path or record in your workspace.',
    retry: 'No. Check the id.',
  },
  conflict_error: {
    http: '409',
    when: 'The record is in a state that does not allow this, a name is taken, or an Idempotency-Key was used with another body or is still being answered.',
    retry: 'Perhaps. Read the record again; when `Retry-After` is given, after it.',
  },
  rate_limit_error: {
    http: '429',
    when: 'The API key has used up its send requests for this hour, day or month (UTC), or an address has called a protected page too often. Throughput never gives this error: mail beyond the rate waits in the queue.',
    retry: 'Yes, after `retryAfter` seconds, which is `resetAt`.',
  },
  service_unavailable_error: {
    http: '503',
    when: 'Something the service needs, such as its database, cannot be reached. When it was lost in the middle, the request may have been carried out.',
    retry: 'Yes: after 1, 2, 4, 8 seconds, at most five times, with an Idempotency-Key so that nothing is done twice.',
  },
  timeout_error: {
    http: '504',
    when: 'A server that had to be asked during the request (DNS, a webhook receiver) did not answer in time.',
    retry: 'Yes, as above, together with an Idempotency-Key.',
  },
  internal_error: {
    http: '500',
    when: 'A fault of ours. It is logged under the request id.',
    retry: 'Once, after about a second.',
  },
  request_error: {
    http: '400, 405, 408, 413, 415, 417, 431',
    when: 'The HTTP request itself is not acceptable: a method the path does not offer, a body or headers that are too large, a content type other than JSON in UTF-8, a request that arrives too slowly.',
    retry: 'No. Correct the request first.',
  },
};
