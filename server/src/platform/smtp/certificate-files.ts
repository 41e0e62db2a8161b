import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Clock, Timer } from '../clock.ts';
import type { Log } from '../log.ts';

export interface Certificate {
  /** PEM, with the certificates of the issuers behind it. */
  cert: string;
  /** PEM. */
  key: string;
}

/** The certificate of a listener. */
export interface CertificateSource {
  /** The certificate to begin with; throws an error with a remedy when there is none that can be used. */
  read(): Promise<Certificate>;
  /** Calls back with every one that is later than what `read` last returned, until the timer is cancelled. */
  watch(onChange: (changed: Certificate) => void): Timer;
}

/** A certificate that stays the same. */
export const fixedCertificate = (certificate: Certificate): CertificateSource => ({
  read: async () => certificate,
  watch: () => ({ cancel: () => undefined }),
});

export interface CertificateFiles {
  certFile: string;
  keyFile: string;
  clock: Clock;
  log: Log;
}

/** Programs that renew certificates replace the files weeks before the old one ends. */
const LOOK_EVERY_MS = 30_000;

/**
 * A certificate in two files, which another program renews. A change is taken up without a restart once both files fit
 * together; until then, and while they cannot be read, the certificate in use stays.
 */
export function certificateFiles({ certFile, keyFile, clock, log }: CertificateFiles): CertificateSource {
  const read = (): Promise<Certificate> => readCertificateFiles({ certFile, keyFile });
  const stamp = async (): Promise<string> => {
    const times = await Promise.all([certFile, keyFile].map(async (file) => (await stat(file)).mtimeMs));
    return times.join(' ');
  };
  let readAt = Promise.resolve('');
  return {
    async read() {
      // Before the files are read: the first look sees a change between the two.
      readAt = stamp().catch(() => '');
      await readAt;
      return read();
    },
    watch(onChange) {
      let known = readAt;
      const look = async (before: string): Promise<string> => {
        const now = await stamp();
        if (now === before) return before;
        onChange(await read());
        log.info({ certFile }, 'the TLS certificate was renewed');
        return now;
      };
      return clock.interval(LOOK_EVERY_MS, () => {
        known = known.then(async (before) =>
          look(before).catch((error: unknown) => {
            log.warn({ err: error }, 'a changed TLS certificate cannot be used; the one before stays');
            return before;
          }),
        );
      });
    },
  };
}

/** The certificate of two files that belong together; throws an error with a remedy when they do not. */
export async function readCertificateFiles(
  files: Pick<CertificateFiles, 'certFile' | 'keyFile'>,
): Promise<Certificate> {
  const [cert, key] = [
    await fileOf('POSTHORN_TLS_CERT', files.certFile),
    await fileOf('POSTHORN_TLS_KEY', files.keyFile),
  ];
  requirePair(cert, key, files);
  return { cert, key };
}

async function fileOf(setting: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`${setting} is "${file}", which cannot be read. Correct the path or the rights of the file.`, {
      cause: error,
    });
  }
}

function requirePair(
  cert: string,
  key: string,
  { certFile, keyFile }: Pick<CertificateFiles, 'certFile' | 'keyFile'>,
): void {
  let fits: boolean;
  try {
    fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    const files = `"${certFile}" and "${keyFile}"`;
    throw new Error(
      `POSTHORN_TLS_CERT and POSTHORN_TLS_KEY name ${files}: they must hold a certificate and a key as PEM.`,
      {
        cause: error,
      },
    );
  }
  if (!fits)
    throw new Error(`The key in POSTHORN_TLS_KEY ("${keyFile}") does not belong to the certificate "${certFile}".`);
}
