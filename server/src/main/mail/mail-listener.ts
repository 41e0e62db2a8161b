import { receivingEnabled, someDomainReceives } from '#features/domains';
import { mailHostOf } from '#platform/config/mail-host.ts';
import type { Service } from '#platform/lifecycle.ts';
import { selfSignedCertificate } from '#platform/smtp/self-signed-certificate.ts';
import { type FindDestination, firstDestination } from '#platform/smtp/mail-destination.ts';
import { createSmtpListener, type SmtpListener } from '#platform/smtp/smtp-listener.ts';
import { loop } from '#platform/work/loop.ts';
import type { Parts } from '../parts.ts';

// Nobody checks it; a process that runs longer than that is due for an update.
const CERTIFICATE_DAYS = 3_650;
const MB = 1_048_576;
/** How long the first domain that receives waits for a process that was not told. */
const LOOK_EVERY_MS = 5_000;

/**
 * The one port for mail that arrives, of whatever part of the program its address belongs to. It is open from the start
 * with a bounce domain; without one from the moment at which a domain receives, so that nobody has an open port for
 * nothing. Port 0 is none.
 */
export function mailListener(parts: Parts, finders: readonly FindDestination[]): Service[] {
  const { settings } = parts;
  if (settings.inboundSmtpPort === 0) return [];
  const listener = makeListener(parts, finders);
  return [settings.bounceDomain === null ? whenNeeded(parts, listener) : listener];
}

function makeListener({ settings, clock, log }: Parts, finders: readonly FindDestination[]): SmtpListener {
  const hostname = mailHostOf(settings);
  const certificate = { commonName: 'mail', dnsNames: [hostname], now: clock.now(), days: CERTIFICATE_DAYS };
  return createSmtpListener({
    name: 'incoming mail',
    log,
    clock,
    host: settings.host,
    port: settings.inboundSmtpPort,
    hostname,
    tls: selfSignedCertificate(certificate),
    messageBytes: settings.inboundMessageMb * MB,
    destinationOf: firstDestination(finders),
  });
}

/** A listener that starts with the first domain that receives. */
function whenNeeded({ db, clock, log }: Parts, listener: SmtpListener): Service {
  let isOpen = false;
  const looks = loop({
    name: 'incoming mail, when a domain receives',
    everyMs: LOOK_EVERY_MS,
    beginsAtOnce: true,
    wokenBy: receivingEnabled,
    clock,
    log,
    failure: 'the port for incoming mail could not be opened; trying again',
    async round() {
      if (isOpen || !(await someDomainReceives(db))) return;
      await listener.start();
      isOpen = true;
    },
  });
  return {
    ...looks,
    async stop() {
      await looks.stop();
      await listener.stop();
    },
  };
}
