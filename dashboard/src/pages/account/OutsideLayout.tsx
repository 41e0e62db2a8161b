import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { BrandMark } from '../../ui/BrandMark.tsx';
import classes from './account.module.css';

/** Pages for people who are not signed in: one small form. */
export function OutsideLayout({ title, children, foot }: { title: string; children: ReactNode; foot?: ReactNode }) {
  return (
    <main className={classes['outside']}>
      <div className={classes['card']}>
        <BrandMark large />
        <PageHeader title={title} />
        {children}
      </div>
      {foot !== undefined && <div className={classes['foot']}>{foot}</div>}
    </main>
  );
}
