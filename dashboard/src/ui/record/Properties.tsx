import { Fragment, type ReactNode } from 'react';
import { CopyButton } from '../CopyButton.tsx';
import classes from './record.module.css';

export interface Property {
  label: string;
  value: ReactNode;
  /** Offers the value to copy. */
  copy?: string;
  mono?: boolean;
}

/** The fields of a record in two columns, one below 640 px. */
export function Properties({ items }: { items: readonly Property[] }) {
  return (
    <dl className={classes['properties']}>
      {items.map(({ label, value, copy, mono }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd data-mono={mono || undefined}>
            <span>{value ?? <span className={classes['none']}>—</span>}</span>
            {copy !== undefined && <CopyButton value={copy} label={`Copy ${label.toLowerCase()}`} />}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
