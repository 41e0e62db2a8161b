import { receivingEnabled, someDomainReceives } from '#features/domains';
import { mailHostOf } from '#platform/config/mail-host.ts';
import type { Service } from '#platform/lifecycle.ts';
import { certificateFiles, type CertificateSource, fixedCertificate } from '#platform/smtp/certificate-files.ts';
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

function makeListener(parts: Parts, finders: readonly FindDestination[]): SmtpListener {
  const { settings, clock, log } = parts;
  const hostname = mailHostOf(settings);
  return createSmtpListener({
    name: 'incoming mail',
    log,
    clock,
    host: settings.host,
    port: settings.inboundSmtpPort,
    hostname,
    certificate: certificateFor(parts, hostname),
    messageBytes: settings.inboundMessageMb * MB,
    destinationOf: firstDestination(finders),
  });
}

/**
 * The certificate of the operator, the same as that of the relay. Without one other servers get one of our own: most of
 * them encrypt without a look at it, which is better than no encryption.
 */
function certificateFor({ settings: { tlsCert, tlsKey }, clock, log }: Parts, hostname: string): CertificateSource {
  if (tlsCert !== null && tlsKey !== null) return certificateFiles({ certFile: tlsCert, keyFile: tlsKey, clock, log });
  const ours = { commonName: 'mail', dnsNames: [hostname], now: clock.now(), days: CERTIFICATE_DAYS };
  return fixedCertificate(selfSignedCertificate(ours));
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
