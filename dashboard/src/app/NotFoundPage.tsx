import { Compass } from 'lucide-react';
import { pb } from '../lib/paths.ts';
import { ActionButton } from '../ui/ActionButton.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import classes from './NotFoundPage.module.css';

export function NotFoundPage() {
  return (
    <div className={classes['page']}>
      <PageHeader title="Page not found" />
      <EmptyState
        icon={<Compass size={20} />}
        title="There is nothing at this address"
        action={
          <ActionButton variant="default" href={pb.overview()}>
            Go to the overview
          </ActionButton>
        }
      >
        The link may be old, or a part of it is missing.
      </EmptyState>
    </div>
  );
}
