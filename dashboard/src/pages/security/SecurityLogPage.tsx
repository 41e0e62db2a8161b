import { ShieldCheck } from 'lucide-react';
import { listSecurityEventsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { SecurityEvent } from '../../api/generated/types.gen.ts';
import { useSession, useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { actionWords } from '../../lib/action-words.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { NotForRole } from '../../ui/NotForRole.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { ActorName, TargetName } from './event-names.tsx';

const ACTIONS = [
  'user.signed_in',
  'user.password_changed',
  'user.email_changed',
  'user.deleted',
  'user.password_reset',
  'user.two_factor_enabled',
  'user.two_factor_disabled',
  'user.recovery_codes_replaced',
  'session.ended',
  'session.refresh_token_reused',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'member.role_changed',
  'member.removed',
  'member.left',
  'invite.created',
  'invite.resent',
  'invite.accepted',
  'invite.revoked',
  'webhook.secret_rotated',
  'webhook.deliveries_expired',
].map((value) => ({ value, label: actionWords(value) }));

const COLUMNS: readonly Column<SecurityEvent>[] = [
  { id: 'action', header: 'Event', cell: ({ action }) => actionWords(action) },
  { id: 'actor', header: 'By', width: 'min(220px, 38cqw)', cell: ({ actor }) => <ActorName actor={actor} /> },
  { id: 'ip', header: 'From', width: '140px', priority: 3, onPhone: true, cell: ({ actor }) => actor.ip },
  {
    id: 'target',
    header: 'Record',
    width: '240px',
    priority: 2,
    onPhone: true,
    cell: (event) => <TargetName event={event} />,
  },
  {
    id: 'at',
    header: 'When',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ at }) => <RelativeTime at={at} inRow />,
  },
];

const TITLE = 'Security log';

/** Sign-ins, and all changes that are written together with their entry, so that nothing is missing. */
export function SecurityLogPage() {
  const whyNot = useWhyNot('workspace:audit');
  if (whyNot === undefined) return <SecurityLog />;
  return (
    <NotForRole
      title={TITLE}
      description="Sign-ins, and changes of keys, members, domains and other settings of this workspace."
      reason={whyNot}
    />
  );
}

function SecurityLog() {
  const { workspace } = useSession();
  const [{ action }, setUrl] = useUrlState(['action', 'after']);
  const list = useList((page) => listSecurityEventsOptions({ query: { ...page, action } }));
  const set = (next: string | undefined) => setUrl({ action: next, after: undefined });
  return (
    <ListPage
      id="security-log"
      title={TITLE}
      description={
        <>
          Sign-ins, and changes of keys, members, domains and other settings of this workspace. Your own password and
          sessions are in <a href={pb.ownSignIn()}>your account</a>.
        </>
      }
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ action: name, at }) => `${actionWords(name)} ${at}`}
      rowHref={({ id, action: name }) => withQuery(pb.auditLog(), { action: name, entry: id })}
      filters={<SelectFilter label="Event" value={action} options={ACTIONS} onChange={set} />}
      onClearFilters={action === undefined ? undefined : () => set(undefined)}
      empty={
        <EmptyState icon={<ShieldCheck size={20} />} title="Nothing happened yet">
          The first sign-in appears here.
        </EmptyState>
      }
      call={{
        method: 'GET',
        path: withQuery('/security-log', { action }),
        headers: { 'X-Workspace-ID': workspace?.id ?? '' },
        as: 'person',
      }}
    />
  );
}
