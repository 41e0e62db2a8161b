import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Template } from '../../../api/generated/types.gen.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { readForEditing, type SavedTemplate } from './read-for-editing.ts';
import { changeOfTemplate, type TemplateValues } from './template-form.ts';
import classes from '../templates.module.css';
import { VersionDiff } from '../versions/VersionDiff.tsx';

interface Props {
  id: string;
  mine: TemplateValues;
  onMine: (over: SavedTemplate) => void;
  onTheirs: (theirs: SavedTemplate) => void;
}

/** Somebody else has saved: shows how the two versions differ, and lets the person choose. */
export function TemplateConflict({ id, mine, onMine, onTheirs }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: [{ _id: 'templateInConflict', id }],
    queryFn: () => readForEditing(id),
    gcTime: 0,
    staleTime: 0,
  });
  if (data === undefined) {
    return error === null ? <Skeleton height={120} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const theirs = data.template;
  return (
    <section aria-label="Two versions" className={classes['conflict']}>
      <Notice tone="warn">
        Somebody else changed this template while you wrote. Choose the version that stands. Lines with − are theirs,
        lines with + are yours.
      </Notice>
      <VersionDiff before={theirs} after={asWritten(mine, theirs)} />
      <div className={classes['choices']}>
        <ActionButton onClick={() => onMine(data)}>Keep yours</ActionButton>
        <ActionButton variant="default" onClick={() => onTheirs(data)}>
          Take theirs
        </ActionButton>
        <CopyButton value={mine.html}>Copy your HTML</CopyButton>
        <CopyButton value={theirs.html ?? ''}>Copy their HTML</CopyButton>
      </div>
    </section>
  );
}

/** The written fields over those of a version. */
function asWritten(values: TemplateValues, over: Template): Template {
  const { variables: declared, publish: _publish, ...change } = changeOfTemplate(values, over);
  const variables = over.variables.filter(({ key }) => !values.variables.some((one) => one.key === key));
  const said = declared?.map(({ key, type = 'string', required = false, fallback = null }) => ({
    key,
    type,
    required,
    fallback,
    declared: true,
  }));
  return {
    ...over,
    ...change,
    variables: said === undefined ? over.variables : [...variables.filter((one) => !one.declared), ...said],
  };
}
