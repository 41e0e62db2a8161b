import type { InboundEmail } from '../../api/generated/types.gen.ts';
import { Notice } from '../../ui/Notice.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './received.module.css';
import { CHECKS, resultWords, senderVerdict } from './received-words.ts';

/** Whether the sender can be believed, and the four checks behind that. */
export function SenderTab({ mail: { auth, status } }: { mail: InboundEmail }) {
  if (status === 'waiting') return <Notice tone="info">The sender is being checked.</Notice>;
  const verdict = senderVerdict(auth);
  return (
    <>
      <Notice tone={verdict.tone}>{verdict.label}</Notice>
      {auth !== null && (
        <ul className={classes['checks']} aria-label="Checks of the sender">
          {CHECKS.map(({ id, label, asks }) => {
            const result = resultWords(auth[id]);
            return (
              <li key={id}>
                <b>{label}</b>
                <StatusBadge tone={result.tone}>{result.label}</StatusBadge>
                <span>{asks}</span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
