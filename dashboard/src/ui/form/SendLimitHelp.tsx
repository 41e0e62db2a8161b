import { pb } from '../../lib/paths.ts';
import classes from './form.module.css';
import { limitOfRefusal } from './send-limit.ts';

/** The way out of a limit that an email was refused by: below the sentence of the server. */
export function SendLimitHelp({ refusal }: { refusal: unknown }) {
  const limit = limitOfRefusal(refusal);
  if (limit === undefined) return null;
  return (
    <p className={classes['help']}>
      {limit === 'domain' ? (
        <>
          Choose “Send later” with a time after the reset, send from another domain, or{' '}
          <a href={pb.domains()}>raise the limit of the domain</a>.
        </>
      ) : (
        <>
          Choose “Send later” with a time after the reset, or ask the operator of this installation for a higher quota.{' '}
          <a href={pb.settings()}>Look at how much is used</a>.
        </>
      )}
    </p>
  );
}
