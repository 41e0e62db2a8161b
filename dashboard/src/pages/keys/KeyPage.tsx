import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { getApiKeyOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { ApiKey, ApiKeyWithSecret } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { Properties, type Property } from '../../ui/record/Properties.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { KeyActions } from './KeyActions.tsx';
import { STATES, shownKey, stateOf, whyNotInState } from './key-state.ts';
import { describeScopes } from './scopes.ts';

const EditKey = lazyTab('edit', () => import('./EditKey.tsx').then((file) => file.EditKey));
const KeyUsage = lazyTab('usage', () => import('./KeyUsage.tsx').then((file) => file.KeyUsage));
const SecretShown = lazyPart(() => import('./SecretShown.tsx').then((file) => file.SecretShown));

const CRUMBS = [{ label: 'API keys', href: pb.keys() }];

/** One key: its rights, its use, and how to change, rotate and revoke it. */
export function KeyPage() {
  const { id = '' } = useParams({ strict: false });
  const router = useRouter();
  const [{ tab }, setUrl] = useUrlState(['tab']);
  const [made, setMade] = useState<ApiKeyWithSecret>();
  const roleReason = useWhyNot('api_keys:write');
  const now = useNow();
  const { data: key, error, refetch } = useQuery(getApiKeyOptions({ path: { id } }));
  if (made !== undefined) {
    const open = () => {
      setMade(undefined);
      router.history.push(pb.key(made.id));
    };
    return <SecretShown made={made} crumbs={CRUMBS} onDone={open} />;
  }
  const state = key && stateOf(key, now);
  const tabs = key && [
    { id: 'overview', label: 'Overview', content: () => <Properties items={propertiesOf(key)} /> },
    { id: 'usage', label: 'Usage', content: () => <KeyUsage apiKey={key} /> },
    {
      id: 'edit',
      label: 'Edit',
      content: () => (
        <EditKey key={key.id} apiKey={key} disabledReason={roleReason ?? whyNotInState('change', stateOf(key, now))} />
      ),
    },
  ];
  return (
    <RecordPage
      title={key?.name}
      crumbs={CRUMBS}
      badge={state && <StatusBadge tone={STATES[state].tone}>{STATES[state].label}</StatusBadge>}
      actions={
        key &&
        state && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/api-keys/${id}` }} />
            <ActionButton variant="subtle" href={withQuery(pb.emails(), { api_key_id: id })}>
              Its emails
            </ActionButton>
            <KeyActions apiKey={key} state={state} roleReason={roleReason} onRotated={setMade} />
          </>
        )
      }
      {...(tabs === undefined ? {} : { tabs })}
      tab={tab}
      onTab={(next) => setUrl({ tab: next })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

function propertiesOf(key: ApiKey): Property[] {
  const { scopes, allowed_ips: ips, limits } = key;
  const limit = (count: number, unit: string) =>
    count === 0 ? `no limit ${unit}` : `${count.toLocaleString('en')} ${unit}`;
  return [
    { label: 'Key', value: shownKey(key), mono: true },
    { label: 'Mode', value: key.mode === 'live' ? 'Live' : 'Test: sends nothing' },
    {
      label: 'Scopes',
      value: scopes.includes('*') ? (
        describeScopes(scopes)
      ) : (
        <span style={{ display: 'flex', flexWrap: 'wrap', gap: '2px 12px', padding: '7px 0' }}>
          {scopes.map((scope) => (
            <Mono key={scope}>{scope}</Mono>
          ))}
        </span>
      ),
    },
    {
      label: 'Limits',
      value:
        limits.hourly + limits.daily + limits.monthly === 0
          ? 'No limit'
          : `${limit(limits.hourly, 'each hour')}, ${limit(limits.daily, 'each day')}, ${limit(limits.monthly, 'each month')}`,
    },
    { label: 'Networks', value: ips.length === 0 ? 'Every network' : ips.join(', ') },
    { label: 'Last used', value: <RelativeTime at={key.last_used_at} /> },
    { label: 'Last used from', value: key.last_used_ip, mono: true },
    { label: 'Created', value: <RelativeTime at={key.created_at} /> },
    { label: 'Expires', value: <RelativeTime at={key.expires_at} /> },
    ...(key.revoked_at === null ? [] : [{ label: 'Revoked', value: <RelativeTime at={key.revoked_at} /> }]),
    { label: 'Id', value: key.id, copy: key.id, mono: true },
  ];
}
