import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  getCapturedEmailRawOptions,
  getEmailRawOptions,
  listCapturedEmailsOptions,
} from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Email } from '../../../api/generated/types.gen.ts';
import { pb } from '../../../lib/paths.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';

/** Messages do not change. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY };

interface Props {
  email: Email;
  /** Somebody else composed it, and its bytes are stored. */
  isGivenWhole: boolean;
}

/** The bytes of the message, where they are kept. */
export const EmailSource = ({ email, isGivenWhole }: Props) =>
  isGivenWhole ? <GivenSource id={email.id} /> : <ComposedSource id={email.id} />;

function GivenSource({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({ ...getEmailRawOptions({ path: { id }, parseAs: 'text' }), ...ONCE });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} />;
  return <CodeBlock code={String(data)} label="the source of the message" />;
}

/**
 * The bytes of a message that Posthorn composed. They are kept in the Outbox and nowhere else, and are not made again
 * here: date, tracking and signature would be others than those that left.
 */
function ComposedSource({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(listCapturedEmailsOptions({ query: { email_id: id, limit: '1' } }));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} />;
  const [copy] = data.data;
  if (copy !== undefined) return <CapturedSource id={copy.id} />;
  return (
    <Text size="sm" c="dimmed">
      Posthorn composes and signs this message when it hands it over, and keeps no copy of the bytes. Only captured mail
      has one, in the <a href={pb.outbox()}>Outbox</a>, and there is none of this email.
    </Text>
  );
}

function CapturedSource({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    ...getCapturedEmailRawOptions({ path: { id }, parseAs: 'text' }),
    ...ONCE,
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} />;
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        The message as it was handed over, with its signature, from the <a href={pb.outboxEmail(id)}>Outbox</a>.
      </Text>
      <CodeBlock code={String(data)} label="the source of the message" />
    </>
  );
}
