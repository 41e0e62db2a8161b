import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LayoutTemplate } from 'lucide-react';
import { listUsersOfTemplateOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { TemplateUser } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Mono } from '../../ui/Mono.tsx';
import classes from './templates.module.css';

/** The templates that are made of this one. */
export function UsedByTab({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(listUsersOfTemplateOptions({ path: { id } }));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={120} />;
  if (data.templates.length === 0) {
    return (
      <EmptyState icon={<LayoutTemplate size={20} />} title="No other template is made of this one">
        Templates that have it as their layout or contain it with <code>{'{% render %}'}</code> are listed here.
      </EmptyState>
    );
  }
  return (
    <div className={classes['stack']}>
      <p className={classes['note']}>
        Their published versions keep a copy. A change of this template shows in the next version that they publish.
      </p>
      <UserLinks users={data.templates} />
    </div>
  );
}

export function UserLinks({ users }: { users: readonly TemplateUser[] }) {
  return (
    <ul className={classes['rows']}>
      {users.map(({ id, name, alias }) => (
        <li key={id}>
          <a href={pb.template(id)}>{name}</a> {alias !== null && <Mono>{alias}</Mono>}
        </li>
      ))}
    </ul>
  );
}
