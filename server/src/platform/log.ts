import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Structured logs on standard output, one JSON object a line. They never hold message bodies, keys or full addresses:
 * callers pass `redactAddress(…)`, and the paths below are a second wall.
 */
export function createLog(options: { level: string; destination?: { write(line: string): void } }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
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

/** `ada@example.com` → `a***@example.com`: enough to find a domain's trouble, not to name a person. */
export function redactAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 1 ? '***' : `${address[0]}***${address.slice(at)}`;
}
