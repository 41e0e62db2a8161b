import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getMeOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { pb } from '../../lib/paths.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ViewLinks } from '../../ui/ViewLinks.tsx';
import { ACCOUNT_VIEWS } from './account-views.ts';
import classes from './account.module.css';
import { ChangePassword } from './sign-in/ChangePassword.tsx';
import { Sessions } from './sign-in/Sessions.tsx';
import { TwoFactor } from './sign-in/TwoFactor.tsx';

/** How the person signs in: password, second factor, and where they are signed in. */
export function OwnSignInPage() {
  const { data, error, refetch } = useQuery(getMeOptions());
  return (
    <div className={classes['page']}>
      <PageHeader
        title="Account"
        description="Your own, in every workspace."
        actions={<CurlButton call={{ method: 'GET', path: '/auth/sessions', as: 'person' }} />}
      />
      <ViewLinks label="Account" views={ACCOUNT_VIEWS} current={pb.ownSignIn()} />
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={120} mb={32} />}
      {data !== undefined && <TwoFactor me={data} />}
      <ChangePassword email={data?.email} />
      <Sessions />
    </div>
  );
}
