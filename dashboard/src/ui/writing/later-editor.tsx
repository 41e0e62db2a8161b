import { Skeleton } from '@mantine/core';
import { lazyPart } from '../../lib/lazy-part.tsx';

/**
 * The editor of a mailing, in a chunk of its own. It is loaded when the mailing is there: sooner, its 300 kB delay the
 * first paint of a phone by a second, and the text comes no earlier.
 */
export const IssueEditor = lazyPart(
  () => import('../editor/IssueEditor.tsx').then((file) => file.IssueEditor),
  <Skeleton height={320} radius="md" role="progressbar" aria-label="The editor is loading" />,
);
