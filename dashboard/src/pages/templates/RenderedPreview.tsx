import { Select, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { renderTemplate } from '../../api/generated/sdk.gen.ts';
import { counted } from '../../lib/number.ts';
import { usePreviewView } from '../../lib/use-preview-view.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { MailPreview } from '../../ui/mail-preview/MailPreview.tsx';
import { Notice } from '../../ui/Notice.tsx';
import classes from './templates.module.css';

interface Sample {
  name: string;
  variables: Record<string, unknown>;
}

interface Props {
  id: string;
  version: number;
  samples: readonly Sample[];
}

/** The place of a layout for the template inside of it. */
const CONTENT = 'content';
const NO_DATA = { name: '', variables: {} };

/** The sample that the address names; the first when it names none, and no data when there is none. */
export function useSample(samples: readonly Sample[]): [Sample, (index: string | undefined) => void] {
  const [{ sample }, setUrl] = useUrlState(['sample']);
  const chosen = sample === 'none' ? NO_DATA : (samples[Number(sample ?? 0)] ?? samples[0] ?? NO_DATA);
  return [chosen, (next) => setUrl({ sample: next === '0' ? undefined : next })];
}

/** A stored version as a send with this data would be, and the variables that such a send would lack. */
export function RenderedPreview({ id, version, samples }: Props) {
  const [chosen, choose] = useSample(samples);
  const [view, setView] = usePreviewView();
  const { name, variables } = chosen;
  const rendered = useQuery({
    queryKey: [{ _id: 'renderedTemplate', id, version, variables }],
    queryFn: async () =>
      (await renderTemplate({ path: { id }, body: { version, variables }, throwOnError: true })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const index = samples.findIndex((one) => one === chosen);
  const { data, error } = rendered;
  const missing = data?.missing.filter((key) => key !== CONTENT) ?? [];
  return (
    <div className={classes['stack']}>
      <Select
        label="With the data of"
        data={[
          ...samples.map((sample, at) => ({ value: String(at), label: sample.name || `Sample ${at + 1}` })),
          { value: 'none', label: 'No data' },
        ]}
        value={index === -1 ? 'none' : String(index)}
        onChange={(next) => choose(next ?? undefined)}
        allowDeselect={false}
        maw={360}
      />
      {error !== null && <ErrorState error={error} onRetry={() => void rendered.refetch()} />}
      {error === null && data === undefined && <Skeleton height={320} />}
      {error === null && data !== undefined && (
        <>
          {data.missing.includes(CONTENT) && (
            <Notice tone="info">
              It has a place <code>{'{{ content }}'}</code>: it is a layout, for templates that name it.
            </Notice>
          )}
          {missing.length > 0 && (
            <Notice tone="warn">
              A send with this data is refused. It lacks {counted(missing.length, 'variable')}:{' '}
              {missing.map((key, at) => (
                <span key={key}>
                  {at > 0 && ', '}
                  <code>{key}</code>
                </span>
              ))}
            </Notice>
          )}
          <p className={classes['subject']}>
            <span>Subject</span> {data.subject ?? '—'}
          </p>
          {data.preheader !== null && (
            <p className={classes['subject']}>
              <span>Preheader</span> {data.preheader}
            </p>
          )}
          {data.html !== null && (
            <MailPreview
              html={data.html}
              label={name === '' ? 'The template as mail' : `The template as mail, with the data of ${name}`}
              view={view}
              onViewChange={setView}
            />
          )}
          <details open={data.html === null}>
            <summary>The text for programs that show no HTML</summary>
            <pre className={classes['text']}>{data.text ?? 'It is made from the HTML when it is sent.'}</pre>
          </details>
        </>
      )}
    </div>
  );
}
