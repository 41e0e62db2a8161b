/**
 * How the connection is encrypted. `implicit`: from the first byte (smtps). `starttls`: upgraded before anything else,
 * or not used at all. `auto`: encrypted when the server offers it, its certificate not checked (RFC 7435), credentials
 * only over an encrypted connection. `none`: never.
 */
export type TlsMode = 'implicit' | 'starttls' | 'auto' | 'none';

export interface SmtpSettings {
  host: string;
  port: number;
  tls: TlsMode;
  auth: { user: string; pass: string } | null;
  /** Connections at most; they are opened as work asks for them. */
  connections: number;
  /** Messages over one connection before it is replaced: servers count, and spread load by connection. */
  messagesPerConnection: number;
  /** Our name in EHLO: the operator's word, never taken from a message. Null: the host name. */
  ehloName: string | null;
}
