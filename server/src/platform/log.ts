import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Structured logs on standard output, one JSON object a line. They never hold message bodies, keys or addresses:
 * callers leave them out, and what follows is a second wall.
 */
export function createLog(options: { level: string; destination?: { write(line: string): void } }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      // Mail servers name the address they speak of in their replies.
      log: (fields: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [
            name,
            typeof value === 'string' ? hideAddresses(value) : value,
          ]),
        ),
    },
    serializers: { err: describeError },
    redact: {
      paths: [
        'authorization',
        '*.authorization',
        '*["x-api-key"]',
        'password',
        '*.password',
        'token',
        '*.token',
        'secret',
        '*.secret',
        'key',
        '*.key',
      ],
      censor: '[hidden]',
    },
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
}

/** `ada@example.com` becomes `a***@example.com`, and the password of a URL goes the same way. */
const hideAddresses = (text: string): string =>
  !text.includes('@')
    ? text
    : text.replace(/([^\s"'<>@,;:/()[\]=])[^\s"'<>@,;:/()[\]=]{0,255}@(?=[\p{L}\p{N}])/gu, '$1***@');

/**
 * An error by its texts and numbers. Objects that a library hangs on it stay out (a lost connection brings its client
 * along, an answer of another server its headers), and so does what PostgreSQL adds from the rows: whole values, in
 * `detail` and the places beside it.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return hideAddresses(String(error));
  const { detail: _detail, where: _where, internalQuery: _query, ...given } = pino.stdSerializers.err(error);
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string') shown[name] = hideAddresses(value);
    else if (typeof value === 'number' || typeof value === 'boolean') shown[name] = value;
  }
  // A host of several addresses that none answers at: each says why.
  if (error instanceof AggregateError) shown['errors'] = error.errors.map((one) => hideAddresses(String(one)));
  return shown;
}
