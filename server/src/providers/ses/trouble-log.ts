import type { Log } from '#platform/log.ts';
import type { Verdict } from '../email-provider.ts';

/** The troubles that an operator has to look at, and their comparison with earlier ones. */
function troubleOf(verdict: Verdict): string | undefined {
  if (verdict.kind === 'unknown') return verdict.response.startsWith('no answer') ? undefined : 'strange answers';
  if (verdict.kind !== 'temporary' || verdict.throttled) return undefined;
  if (verdict.code === 401 || verdict.code === 403) return 'credentials';
  if (verdict.everyMessage === true) return `account ${verdict.code}`;
  return verdict.code === null ? 'connection' : undefined;
}

/** Says once that no mail goes out, and once that it does again, not with every message. */
export function createTroubleLog(log: Log, region: string): { note(verdict: Verdict): Verdict } {
  let known: string | undefined;
  return {
    note(verdict) {
      const trouble = troubleOf(verdict);
      if (trouble !== undefined && trouble !== known) {
        known = trouble;
        log.error({ region, response: verdict.response }, 'Amazon SES does not take our mail');
      }
      if (verdict.kind === 'accepted' && known !== undefined) {
        known = undefined;
        log.info({ region }, 'Amazon SES takes mail again');
      }
      return verdict;
    },
  };
}
