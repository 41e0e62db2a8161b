import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { type FindDestination, firstDestination } from '#platform/smtp/mail-destination.ts';
import { createSmtpListener, type SmtpListener } from '#platform/smtp/smtp-listener.ts';

/** A listener for mail that arrives, on a free port of loopback. Start and stop it. */
export const aMailListener = (finders: readonly FindDestination[]): SmtpListener =>
  createSmtpListener({
    name: 'mail',
    log: createLog({ level: 'silent' }),
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
    hostname: 'mx.example.com',
    certificate: null,
    messageBytes: 30 * 1_024 * 1_024,
    limits: { finishMs: 300 },
    destinationOf: firstDestination(finders),
  });
