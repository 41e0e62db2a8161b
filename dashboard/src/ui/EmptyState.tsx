import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

interface Props {
  icon?: ReactNode;
  title: string;
  /** One or two sentences: when something will be here, or how to make it so. */
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <div className={classes['empty']}>
      {icon !== undefined && (
        <div className={classes['icon']} aria-hidden="true">
          {icon}
        </div>
      )}
      <h2 className={classes['title']}>{title}</h2>
      {children !== undefined && <div className={classes['text']}>{children}</div>}
      {action !== undefined && <div className={classes['action']}>{action}</div>}
    </div>
  );
}
