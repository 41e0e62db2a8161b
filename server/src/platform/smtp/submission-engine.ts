import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Certificate } from './certificate-files.ts';
import { type ConnectionRules, SubmissionConnection } from './submission-connection.ts';
import type { SubmissionLimits } from './submission-rules.ts';

interface EngineOptions {
  hostname: string;
  certificate: Certificate;
  limits: SubmissionLimits;
  /** The decisions about commands, and about connections. */
  sessions: { hooks: Partial<SMTPServerOptions>; connectionRules: ConnectionRules };
  isImplicitTls: boolean;
}

/** Commands before a password: EHLO, STARTTLS, EHLO, and the lines of some attempts to sign in. */
const COMMANDS_BEFORE_SIGN_IN = 40;

/** smtp-server without a port of its own: it gets connections that are admitted already. */
export class SubmissionEngine extends SMTPServer {
  readonly isImplicitTls: boolean;
  readonly #sessions: EngineOptions['sessions'];

  constructor({ hostname, certificate, limits, sessions, isImplicitTls }: EngineOptions) {
    super({
      name: hostname,
      logger: false,
      ...certificate,
      minVersion: 'TLSv1.2',
      ...(isImplicitTls ? { secure: true, needsUpgrade: true } : {}),
      disabledCommands: [
        'XCLIENT',
        'XFORWARD',
        'WIZ',
        'SHELL',
        'KILL',
        'HELP',
        'VRFY',
        ...(isImplicitTls ? ['STARTTLS'] : []),
      ],
      authMethods: ['PLAIN', 'LOGIN'],
      // The connection decides where a password may be asked for; this lets it.
      allowInsecureAuth: true,
      authRequiredMessage: 'Sign in first: the password is an API key',
      maxAllowedUnauthenticatedCommands: COMMANDS_BEFORE_SIGN_IN,
      hideSMTPUTF8: true,
      hideENHANCEDSTATUSCODES: false,
      disableReverseLookup: true,
      size: limits.messageBytes,
      rejectOversized: true,
      maxRecipients: limits.recipients,
      maxCommandLength: 4_096,
      socketTimeout: limits.idleMs,
      ...sessions.hooks,
    });
    this.isImplicitTls = isImplicitTls;
    this.#sessions = sessions;
    // Sockets that break and handshakes that fail are the everyday life of a port.
    this.on('error', () => undefined);
  }

  override connect(socket: Socket, options: { id: string; remoteAddress: string }): SubmissionConnection {
    const connection = new SubmissionConnection(this, socket, options, this.#sessions.connectionRules);
    this.connections.add(connection);
    connection.on('error', (error: Error) => this.emit('error', error));
    connection.init();
    return connection;
  }
}
