import { systemClock } from '#platform/clock.ts';
import { SmtpFailure } from './smtp-failure.ts';
import { SmtpSession } from './smtp-session.ts';
import type { SmtpSettings } from './smtp-settings.ts';

export interface SmtpProbe {
  /** Where it ended; null: there was a session that could have sent. */
  failed: 'connect' | 'tls' | 'auth' | null;
  /** The server's answer, or the error instead. Empty without a failure. */
  words: string;
  /** True when `words` is an answer of the server. */
  replied: boolean;
  /** Whether the session was encrypted; null: there was none. */
  secure: boolean | null;
}

// The errors of Node and nodemailer when a connection stands and its encryption does not.
const ABOUT_TLS = /certificate|altnames|\btls\b|\bssl\b|starttls|wrong version number|handshake/i;

/** Opens a session as a hand-off would, signs in, and leaves without sending anything. It never rejects. */
export async function probeSmtp(settings: SmtpSettings, options: { ca?: string } = {}): Promise<SmtpProbe> {
  try {
    const session = await SmtpSession.open({ settings, clock: systemClock, ...options }, new AbortController().signal);
    const { secure } = session;
    await session.quit();
    return { failed: null, words: '', replied: false, secure };
  } catch (error) {
    if (!(error instanceof SmtpFailure))
      return { failed: 'connect', words: String(error), replied: false, secure: null };
    const { stage, response: words, replied, unencrypted } = error;
    if (stage === 'auth') return { failed: 'auth', words, replied, secure: null };
    return { failed: unencrypted || ABOUT_TLS.test(words) ? 'tls' : 'connect', words, replied, secure: null };
  }
}
