import { useQuery } from '@tanstack/react-query';
import { checkBroadcast } from '../../../api/generated/sdk.gen.ts';
import { Notice } from '../../../ui/Notice.tsx';
import classes from '../broadcasts.module.css';

/** The warnings of the server before it is sent, such as a footer without a postal address. */
export function Checks({ id, version }: { id: string; version: unknown }) {
  const { data } = useQuery({
    queryKey: [{ _id: 'checkBroadcast', id, version }],
    queryFn: async () => (await checkBroadcast({ path: { id }, throwOnError: true })).data,
    placeholderData: (before) => before,
    gcTime: 60_000,
  });
  const found = data?.checks.filter(({ level, id: check }) => level !== 'ok' && check !== 'recipients') ?? [];
  return (
    <div className={classes['checks']} aria-live="polite">
      {found.map(({ id: check, level, message }) => (
        <Notice key={check} tone={level === 'error' ? 'bad' : 'warn'}>
          {message}
        </Notice>
      ))}
    </div>
  );
}
