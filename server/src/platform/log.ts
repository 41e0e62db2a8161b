import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Structured logs on standard output, one JSON object a line. They never hold message bodies, keys or addresses:
 * callers leave them out, and the paths below are a second wall.
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
