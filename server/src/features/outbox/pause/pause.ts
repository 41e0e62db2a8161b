/** Pauses at a limit stop the release alone: the queue has its places in the limits, and leaves. */
export const AT_LIMIT = ['domain_limit', 'quota'] as const;

/** Pauses that end by themselves when their cause has ended; a person may end them before. */
export const SELF_ENDING = ['domain_unverified', ...AT_LIMIT] as const;

/** The cause of a pause, for programs. `reputation`: too many of its emails bounced or got complaints. */
export type PauseCode = (typeof SELF_ENDING)[number] | 'reputation';

/** As they are shown: besides, a send rests as long as the operator pauses its workspace. */
export const PAUSE_CODES = [...SELF_ENDING, 'reputation', 'workspace_paused'] as const;
export type ShownPauseCode = (typeof PAUSE_CODES)[number];

export interface Pause {
  /** null: a person has paused the send. */
  code: PauseCode | null;
  /** A sentence for people: the cause, and the remedy. */
  reason: string;
  /** When the cause is expected to end; null: nobody knows. */
  resumesAt: Date | null;
}
