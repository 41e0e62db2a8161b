/**
 * The ten names are part of the contract: callers branch on them. What each means at each way out of the process is
 * decided here and nowhere else. `request_error` exists only at the HTTP edge (413, 415, 405, 431).
 */
export const ERROR_TABLE = {
  authentication_error: { http: 401, smtp: '535 5.7.8', job: 'discard' },
  permission_error: { http: 403, smtp: '550 5.7.1', job: 'discard' },
  validation_error: { http: 400, smtp: '554 5.6.0', job: 'discard' },
  not_found_error: { http: 404, smtp: '550 5.1.1', job: 'discard' },
  conflict_error: { http: 409, smtp: '451 4.3.0', job: 'discard' },
  rate_limit_error: { http: 429, smtp: '451 4.7.1', job: 'retry' },
  service_unavailable_error: { http: 503, smtp: '451 4.3.0', job: 'retry' },
  timeout_error: { http: 504, smtp: '451 4.4.2', job: 'retry' },
  internal_error: { http: 500, smtp: '451 4.3.0', job: 'retry' },
  request_error: { http: 400, smtp: '554 5.6.0', job: 'discard' },
} as const;

export type ErrorName = keyof typeof ERROR_TABLE;

export const ERROR_NAMES = Object.keys(ERROR_TABLE) as ErrorName[]; // `keys` forgets that the keys are known
