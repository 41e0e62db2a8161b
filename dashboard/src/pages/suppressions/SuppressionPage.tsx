import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { getSuppressionOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Suppression } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties, type Property } from '../../ui/record/Properties.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { canBeUndone, REASONS } from './reasons.ts';
import { useLift } from './use-lift.ts';

/** One suppressed address: why, since when, and how to lift it. The model of a record page. */
export function SuppressionPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: record, error, refetch } = useQuery(getSuppressionOptions({ path: { id_or_email: id } }));
  const reason = record === undefined ? undefined : REASONS[record.reason];
  return (
    <RecordPage
      title={record?.email}
      crumbs={[{ label: 'Suppressions', href: pb.suppressions() }]}
      badge={reason && <StatusBadge tone={reason.tone}>{reason.label}</StatusBadge>}
      actions={
        record && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/suppressions/${encodeURIComponent(record.email)}` }} />
            <Lift record={record} />
          </>
        )
      }
      notice={reason && <Notice tone="info">{reason.why} Posthorn sends nothing to this address.</Notice>}
      error={error}
      onRetry={() => void refetch()}
    >
      {record && <Properties items={propertiesOf(record)} />}
    </RecordPage>
  );
}

function propertiesOf(record: Suppression): Property[] {
  return [
    { label: 'Address', value: record.email, copy: record.email },
    { label: 'Added', value: <RelativeTime at={record.created_at} /> },
    { label: 'Expires', value: <RelativeTime at={record.expires_at} /> },
    { label: 'Note', value: record.note },
    {
      label: 'Caused by',
      value: record.source_email_id === null ? null : <a href={pb.email(record.source_email_id)}>this email</a>,
    },
    { label: 'Temporary bounces', value: record.soft_bounce_count === 0 ? null : `${record.soft_bounce_count} of 5` },
    { label: 'Id', value: record.id, copy: record.id, mono: true },
  ];
}

function Lift({ record }: { record: Suppression }) {
  const router = useRouter();
  const [asks, setAsks] = useState(false);
  const whyNot = useWhyNot('suppressions:write');
  const lift = useLift(() => router.history.push(pb.suppressions()));
  return (
    <>
      <ActionButton
        variant="default"
        loading={lift.isPending}
        disabledReason={whyNot}
        onClick={() => (canBeUndone(record.reason) ? lift.mutate([record]) : setAsks(true))}
      >
        Allow mail again
      </ActionButton>
      <Dialog opened={asks} onClose={() => setAsks(false)} title={`Allow mail to ${record.email} again?`} size="sm">
        <Text size="sm">{REASONS[record.reason].lifting}</Text>
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={() => setAsks(false)} data-autofocus>
            Cancel
          </Button>
          <Button variant="danger" loading={lift.isPending} onClick={() => lift.mutate([record])}>
            Allow mail again
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
