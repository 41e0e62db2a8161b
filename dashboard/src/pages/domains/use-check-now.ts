import { useState } from 'react';
import { verifyDomain } from '../../api/generated/sdk.gen.ts';
import type { Domain } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { useSecondsUntil } from './use-seconds-until.ts';
import { toastDone, toastError } from '../../ui/toasts.tsx';

/** The server makes one check in this time, and repeats its last answer in between. */
export const REST_SECONDS = 10;

export const DOMAIN_READS = ['listDomains', 'getDomain', 'listDomainChecks'] as const;

/** Checks a domain at most every ten seconds. `rest` says why not now. */
export function useCheckNow({ id, last_checked_at: last }: Pick<Domain, 'id' | 'last_checked_at'>) {
  const [asked, setAsked] = useState(0);
  const begun = Math.max(asked, last === null ? 0 : Date.parse(last));
  const left = useSecondsUntil(begun + REST_SECONDS * 1_000, REST_SECONDS);
  const write = useWrite({
    call: () => verifyDomain({ path: { id }, throwOnError: true }),
    changes: DOMAIN_READS,
    onDone: ({ message }) => {
      setAsked(Date.now());
      toastDone(message);
    },
    onError: toastError,
  });
  return {
    check: () => write.mutate(undefined),
    isChecking: write.isPending,
    rest: left === 0 ? undefined : `The last check was a moment ago. The next can begin in ${left} s.`,
  };
}
