import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getBroadcastOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { BroadcastCorrects } from '../../../api/generated/types.gen.ts';
import { pb } from '../../../lib/paths.ts';
import { shownTitle } from '../broadcast-state.ts';

/** The audience of a correction, which nobody chooses. */
export function CorrectedPeople({ corrects: { id, content_version: version } }: { corrects: BroadcastCorrects }) {
  const { data } = useQuery({ ...getBroadcastOptions({ path: { id } }), retry: false });
  return (
    <Text size="sm">
      A correction: it goes to exactly those who were sent {version === null ? '' : `version ${version} of `}
      <a href={pb.broadcast(id)}>{data === undefined ? 'another broadcast' : `“${shownTitle(data)}”`}</a> and have not
      left since.
    </Text>
  );
}
