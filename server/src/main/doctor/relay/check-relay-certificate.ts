import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Settings } from '#platform/config/settings.ts';
import { readCertificateFiles } from '#platform/smtp/certificate-files.ts';
import { RELAY_CERTIFICATE } from './about-relay.ts';
import { type Finding, ok, trouble } from '../finding.ts';

const DAY_MS = 86_400_000;
/** Certificates of 90 days are renewed a month before their end. */
const SOON_DAYS = 14;

interface Judged {
  settings: Settings;
  now: Date;
  /** The certificates that clients got just now. */
  served: readonly X509Certificate[];
}

/** Everything that is not well with the certificate of the relay, or that it is well. */
export async function judgeRelayCertificate({ settings, now, served }: Judged): Promise<Finding[]> {
  const { tlsCert: certFile, tlsKey: keyFile, publicUrl } = settings;
  if (certFile === null || keyFile === null)
    return [ok(RELAY_CERTIFICATE, 'The relay has a certificate of its own, for programs on this machine.')];
  let pem: string;
  try {
    ({ cert: pem } = await readCertificateFiles({ certFile, keyFile }));
  } catch (error) {
    return [trouble(RELAY_CERTIFICATE, 'unreadable', error instanceof Error ? error.message : String(error))];
  }
  const certificate = new X509Certificate(pem);
  const found = [
    ...judgeTimes(certificate, now),
    ...judgeIssuer(certificate, pem),
    ...judgeNames(certificate, new URL(publicUrl).hostname),
    ...judgeServed(certificate, served),
  ];
  if (found.length > 0) return found;
  return [ok(RELAY_CERTIFICATE, `For ${namesOf(certificate)}, until ${dayOf(certificate.validToDate)}.`)];
}

function judgeTimes({ validFromDate, validToDate }: X509Certificate, now: Date): Finding[] {
  const message = `Good from ${dayOf(validFromDate)} to ${dayOf(validToDate)}; by this machine it is ${now.toISOString()}.`;
  if (validToDate <= now) return [trouble(RELAY_CERTIFICATE, 'expired', message, { day: dayOf(validToDate) })];
  if (validFromDate > now) return [trouble(RELAY_CERTIFICATE, 'not yet', message, { day: dayOf(validFromDate) })];
  if (validToDate.getTime() - now.getTime() > SOON_DAYS * DAY_MS) return [];
  return [trouble(RELAY_CERTIFICATE, 'ends soon', message, { day: dayOf(validToDate) })];
}

function judgeIssuer(certificate: X509Certificate, pem: string): Finding[] {
  const issuer = `Its issuer is ${inOneLine(certificate.issuer)}.`;
  if (certificate.checkIssued(certificate)) return [trouble(RELAY_CERTIFICATE, 'vouches for itself', issuer)];
  if (pem.split('-----BEGIN CERTIFICATE-----').length > 2) return [];
  return [trouble(RELAY_CERTIFICATE, 'without issuers', issuer)];
}

function judgeNames(certificate: X509Certificate, host: string): Finding[] {
  const address = host.replace(/^\[|\]$/g, '');
  const fits = isIP(address) === 0 ? certificate.checkHost(host) : certificate.checkIP(address);
  if (fits !== undefined) return [];
  const names = namesOf(certificate);
  return [trouble(RELAY_CERTIFICATE, 'other name', `It names ${names}.`, { names, host })];
}

function judgeServed({ fingerprint256 }: X509Certificate, served: readonly X509Certificate[]): Finding[] {
  const other = served.find((one) => one.fingerprint256 !== fingerprint256);
  if (other === undefined) return [];
  return [trouble(RELAY_CERTIFICATE, 'not in use', `Clients get one that ends on ${dayOf(other.validToDate)}.`)];
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const namesOf = ({ subjectAltName, subject }: X509Certificate): string =>
  subjectAltName?.replace(/(?:DNS|IP Address):/g, '') ?? inOneLine(subject);

const inOneLine = (name: string): string => name.replaceAll('\n', ', ');
