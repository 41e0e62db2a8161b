import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { makeFolder, writeNewFile } from '#platform/lasting-files.ts';
import type { Log } from '#platform/log.ts';
import { type Certificate, certificateFiles, type CertificateSource } from '#platform/smtp/certificate-files.ts';
import { selfSignedCertificate } from '#platform/smtp/self-signed-certificate.ts';

/** Nobody checks it; it is good for as long as anybody runs the same data directory. */
const DAYS = 3_650;
const FILE = 'smtp-relay.pem';
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

type CertificateSettings = Pick<Settings, 'tlsCert' | 'tlsKey' | 'host' | 'dataDir' | 'databaseUrl'>;

/**
 * The certificate of the relay: the files of the settings, or on loopback one of our own. null: other machines connect,
 * and no certificate is there that they could trust.
 */
export function relayCertificate(
  settings: CertificateSettings,
  { clock, log }: { clock: Clock; log: Log },
): CertificateSource | null {
  const { tlsCert, tlsKey } = settings;
  if (tlsCert !== null && tlsKey !== null) return certificateFiles({ certFile: tlsCert, keyFile: tlsKey, clock, log });
  if (!LOOPBACK.includes(settings.host)) return null;
  return { read: async () => ownCertificate(settings, clock), watch: () => ({ cancel: () => undefined }) };
}

/** Kept beside the embedded database, so that a client that has pinned it knows it again after a restart. */
function ownCertificate({ dataDir, databaseUrl }: CertificateSettings, clock: Clock): Certificate {
  if (databaseUrl !== null) return make(clock);
  const file = path.join(dataDir, FILE);
  const kept = read(file);
  if (kept !== undefined) return kept;
  makeFolder(dataDir);
  const made = make(clock);
  writeNewFile(file, `${made.key}${made.cert}`);
  return made;
}

const make = (clock: Clock): Certificate =>
  selfSignedCertificate({
    commonName: 'localhost',
    dnsNames: ['localhost'],
    addresses: ['127.0.0.1'],
    now: clock.now(),
    days: DAYS,
  });

/** Both parts stand in one file, so that they always belong together. */
function read(file: string): Certificate | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return { cert: text, key: text };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // Node's file functions throw it
    throw error;
  }
}
