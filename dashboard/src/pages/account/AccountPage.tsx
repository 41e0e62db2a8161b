import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '@mantine/core';
import { getMeOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { pb } from '../../lib/paths.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ViewLinks } from '../../ui/ViewLinks.tsx';
import { ACCOUNT_VIEWS } from './account-views.ts';
import classes from './account.module.css';
import { ChangeAddress } from './profile/ChangeAddress.tsx';
import { DeleteAccount } from './profile/DeleteAccount.tsx';
import { OwnWorkspaces } from './profile/OwnWorkspaces.tsx';
import { Preferences } from './profile/Preferences.tsx';
import { ProfileForm } from './profile/ProfileForm.tsx';

/** The person: their name, the looks of their dashboard, and where they work. */
export function AccountPage() {
  const { data, error, refetch } = useQuery(getMeOptions());
  return (
    <div className={classes['page']}>
      <PageHeader
        title="Account"
        description="Your own, in every workspace."
        actions={<CurlButton call={{ method: 'GET', path: '/auth/me', as: 'person' }} />}
      />
      <ViewLinks label="Account" views={ACCOUNT_VIEWS} current={pb.account()} />
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={200} mb={32} />}
      {data !== undefined && <ProfileForm key={data.id} me={data} />}
      {data !== undefined && <ChangeAddress email={data.email} withCode={data.two_factor_enabled} />}
      <Preferences />
      <OwnWorkspaces />
      {data !== undefined && <DeleteAccount email={data.email} withCode={data.two_factor_enabled} />}
    </div>
  );
}
