import type { ReactNode } from 'react';
import classes from './writing.module.css';

interface Props {
  /** Kept while something else is looked at: the editor holds what can be undone. */
  hidden: boolean;
  /** Findings, or fields of another kind. */
  beside: ReactNode;
  /** Fields that are rarely changed: below the text, and last on a narrow window. */
  below?: ReactNode;
  children: ReactNode;
}

/** The fields and the editor of a text, with findings beside them; below them on a narrow window. */
export function Desk({ hidden, beside, below, children }: Props) {
  return (
    <div hidden={hidden} className={classes['desk']} style={hidden ? { display: 'none' } : {}}>
      <div className={classes['write']}>{children}</div>
      {beside}
      {below}
    </div>
  );
}
