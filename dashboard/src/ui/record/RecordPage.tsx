import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from '../ErrorState.tsx';
import { type Crumb, PageHeader } from '../PageHeader.tsx';
import classes from './record.module.css';
import { TabSkeleton } from './TabSkeleton.tsx';

export interface RecordTab {
  id: string;
  label: string;
  content: () => ReactNode;
}

interface Props {
  title: string | undefined;
  description?: ReactNode;
  crumbs: readonly Crumb[];
  badge?: ReactNode;
  actions?: ReactNode;
  /** Above the tabs: a notice about the state of the record. */
  notice?: ReactNode;
  /** With one tab or none, `children` are shown instead. */
  tabs?: readonly RecordTab[];
  /** The open tab and how to open another: its state belongs into the address (`useUrlState(['tab'])`). */
  tab?: string | undefined;
  onTab?: (id: string | undefined) => void;
  children?: ReactNode;
  error?: unknown;
  onRetry?: () => void;
}

/** A record: what it is and its state, what can be done, and its parts in tabs. A skeleton until `title` is known. */
export function RecordPage(props: Props) {
  const { title, tabs = [], error } = props;
  const hasFailed = title === undefined && error !== undefined && error !== null;
  // One head in all three states: it has the focus after a navigation and must not be replaced.
  return (
    <div aria-busy={title === undefined && !hasFailed}>
      <PageHeader
        title={title ?? (hasFailed ? 'Not available' : 'Loading …')}
        description={props.description}
        crumbs={props.crumbs}
        badge={props.badge}
        actions={props.actions}
      />
      {hasFailed && <ErrorState error={error} onRetry={props.onRetry} />}
      {title === undefined && !hasFailed && <TabSkeleton />}
      {title !== undefined && (
        <>
          {props.notice !== undefined && <div className={classes['notice']}>{props.notice}</div>}
          <RecordTabs title={title} tabs={tabs} tab={props.tab} onTab={props.onTab} />
          {props.children}
        </>
      )}
    </div>
  );
}

interface TabsProps {
  title: string;
  tabs: readonly RecordTab[];
  tab: string | undefined;
  onTab: ((id: string | undefined) => void) | undefined;
}

function RecordTabs({ title, tabs, tab, onTab }: TabsProps) {
  const open = tabs.find(({ id }) => id === tab) ?? tabs[0];
  if (open === undefined) return null;
  if (tabs.length === 1) return open.content();
  return (
    <Tabs
      value={open.id}
      onChange={(id) => onTab?.(id === null || id === tabs[0]?.id ? undefined : id)}
      keepMounted={false}
    >
      <Tabs.List aria-label={title}>
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id} className={classes['panel']}>
          {id === open.id && content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
