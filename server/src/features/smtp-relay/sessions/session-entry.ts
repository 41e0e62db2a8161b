/** A command that was refused. */
export interface RefusalEntry {
  at: string;
  stage: 'AUTH' | 'MAIL' | 'RCPT' | 'DATA';
  code: number;
  status: string;
  text: string;
}

/** A session of a client with the relay, as it is stored. */
export interface SessionEntry {
  workspaceId: string;
  id: string;
  startedAt: Date;
  endedAt: Date | null;
  ip: string;
  /** Such as TLSv1.3; null: without encryption. */
  tls: string | null;
  clientName: string | null;
  apiKeyId: string;
  apiKeyName: string;
  accepted: number;
  refused: number;
  /** The first of them. */
  refusals: RefusalEntry[];
  /** The last of them. */
  jobIds: string[];
}
