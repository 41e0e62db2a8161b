import type { ReactNode } from 'react';
import { pb } from '../../lib/paths.ts';
import classes from './form.module.css';

/** The way out of a refused sender: below its field when the server says that the domain is not verified. */
export function DomainHelp({ refusal }: { refusal: ReactNode }) {
  if (typeof refusal !== 'string' || !/\bverified\b/.test(refusal)) return null;
  return (
    <p className={classes['help']}>
      <a href={`${pb.domains()}?add=1`}>Add the domain</a> or <a href={pb.domains()}>look at your domains</a>.
    </p>
  );
}
