import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUrlState } from '../../lib/use-url-state.ts';
import classes from './mail-message.module.css';

export interface MessageView {
  /** In the address, unless it is the first. */
  value: string;
  label: string;
  show: () => ReactNode;
}

/** One of the views of a message, and the choice among them; the open one is `view` in the address. */
export function MessageViews({ views, label }: { views: readonly MessageView[]; label: string }) {
  const [{ view }, setUrl] = useUrlState(['view']);
  const open = views.find(({ value }) => value === view) ?? views[0];
  return (
    <>
      {views.length > 1 && (
        <div className={classes['views']}>
          <SegmentedControl
            size="xs"
            aria-label={label}
            data={views.map(({ value, label: text }) => ({ value, label: text }))}
            value={open?.value ?? ''}
            onChange={(value) => setUrl({ view: value === views[0]?.value ? undefined : value })}
          />
        </div>
      )}
      {open?.show()}
    </>
  );
}
