/**
 * The ten names are part of the contract: callers branch on them. The status of each is decided here and nowhere else.
 * `request_error` exists only at the HTTP edge (413, 415, 405, 431).
 */
export const ERROR_TABLE = {
  authentication_error: { http: 401 },
  permission_error: { http: 403 },
  validation_error: { http: 400 },
  not_found_error: { http: 404 },
  conflict_error: { http: 409 },
  rate_limit_error: { http: 429 },
  service_unavailable_error: { http: 503 },
  timeout_error: { http: 504 },
  internal_error: { http: 500 },
  request_error: { http: 400 },
} as const;

export type ErrorName = keyof typeof ERROR_TABLE;

export const ERROR_NAMES = Object.keys(ERROR_TABLE) as ErrorName[]; // `keys` forgets that the keys are known
