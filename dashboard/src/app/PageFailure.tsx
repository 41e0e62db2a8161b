import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { ErrorState } from '../ui/ErrorState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import classes from './shell/Shell.module.css';

/** A page that threw. The rest of the dashboard goes on working. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className={classes['failure']}>
      <PageHeader title="This page could not be shown" />
      <ErrorState
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </div>
  );
}
