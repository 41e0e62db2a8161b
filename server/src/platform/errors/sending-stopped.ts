import { type AppError, forbidden } from './app-error.ts';

/** Why a workspace accepts no new mail: the word of its status. null: it does. */
export type SendingStop = 'paused' | 'blocked' | null;

export const stopSentence = (stop: 'paused' | 'blocked'): string => `Sending is ${stop} for this workspace.`;

export const sendingStopped = (stop: 'paused' | 'blocked'): AppError => forbidden(stopSentence(stop));

/** 403 for new mail of a workspace that the operator has stopped. */
export function requireNotStopped(stop: SendingStop): void {
  if (stop !== null) throw sendingStopped(stop);
}
