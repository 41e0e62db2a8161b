import { smtpSinkMissing } from '../test/harness/postfix.ts';

/** Before anything is started: without Postfix's sink the program says what is missing and ends with 1. */
export function requireSink(): void {
  if (smtpSinkMissing === false) return;
  console.error(smtpSinkMissing);
  process.exit(1);
}
