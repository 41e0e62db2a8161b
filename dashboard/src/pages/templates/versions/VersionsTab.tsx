import { Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getTemplateOptions, listTemplateVersionsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { publishTemplate, rollBackTemplate } from '../../../api/generated/sdk.gen.ts';
import type { Template, TemplateVersion } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useList } from '../../../api/use-list.ts';
import { useWrite } from '../../../api/use-write.ts';
import { withQuery } from '../../../lib/curl.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { List } from '../../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { TEMPLATE_CHANGES, VERSION_STATES } from '../template-state.ts';
import classes from '../templates.module.css';
import { VersionDiff } from './VersionDiff.tsx';

const COLUMNS: readonly Column<TemplateVersion>[] = [
  { id: 'version', header: 'Version', cell: ({ version }) => `Version ${version}` },
  {
    id: 'status',
    header: 'State',
    width: '146px',
    cell: ({ status }) => <StatusBadge tone={VERSION_STATES[status].tone}>{VERSION_STATES[status].words}</StatusBadge>,
  },
  { id: 'by', header: 'By', priority: 3, onPhone: true, optional: 'hidden', cell: ({ created_by }) => created_by },
  {
    id: 'at',
    header: 'Saved',
    width: '110px',
    align: 'right',
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

/** Every version; a chosen one with its differences from another, and the ways back to it. */
export function VersionsTab({ template }: { template: Template }) {
  const { id } = template;
  const [{ version, before, after }, setUrl] = useUrlState(['version', 'before', 'after']);
  const list = useList((page) => listTemplateVersionsOptions({ path: { id }, query: page }));
  const chosen = version ?? String(template.version);
  const rows = list.rows ?? [];
  const record = rows.find((one) => String(one.version) === chosen);
  const base = before ?? usualBase(rows, chosen);
  return (
    <>
      <List
        id="template-versions"
        title="Versions"
        list={list}
        columns={COLUMNS}
        rowKey={(one) => String(one.version)}
        rowLabel={(one) => `Version ${one.version}`}
        rowHref={(one) => withQuery(pb.template(id), { tab: 'versions', after, version: String(one.version) })}
        empty={null}
        call={{ method: 'GET', path: `/v1/templates/${id}/versions` }}
      />
      <Section
        title={`Version ${chosen}`}
        actions={record !== undefined && <VersionActions template={template} record={record} />}
        plain
      >
        <div className={classes['stack']}>
          <div className={classes['compare']}>
            <Select
              label="Compared with"
              placeholder="Choose a version"
              data={rows
                .map((one) => String(one.version))
                .filter((one) => one !== chosen)
                .map((one) => ({ value: one, label: `Version ${one}` }))}
              value={base ?? null}
              onChange={(next) => setUrl({ before: next ?? undefined })}
              allowDeselect={false}
            />
          </div>
          {base === undefined ? (
            <p className={classes['note']}>There is no other version to compare it with.</p>
          ) : (
            <Compared id={id} before={base} after={chosen} />
          )}
        </div>
      </Section>
    </>
  );
}

/** The version before it; the one after it for the first. */
function usualBase(rows: readonly TemplateVersion[], chosen: string): string | undefined {
  const at = rows.findIndex(({ version }) => String(version) === chosen);
  const base = rows[at + 1] ?? rows[at - 1];
  return base === undefined ? undefined : String(base.version);
}

function Compared({ id, before, after }: { id: string; before: string; after: string }) {
  const old = useQuery(getTemplateOptions({ path: { id }, query: { version: before } }));
  const next = useQuery(getTemplateOptions({ path: { id }, query: { version: after } }));
  const error = old.error ?? next.error;
  if (error !== null)
    return <ErrorState error={error} onRetry={() => void Promise.all([old.refetch(), next.refetch()])} />;
  if (old.data === undefined || next.data === undefined) return <Skeleton height={160} />;
  return <VersionDiff before={old.data} after={next.data} />;
}

function VersionActions({ template, record }: { template: Template; record: TemplateVersion }) {
  const { id } = template;
  const { version, status } = record;
  const whyNot = useWhyNot('templates:write');
  const [, setUrl] = useUrlState(['version', 'before']);
  const publish = useWrite({
    call: () => publishTemplate({ path: { id }, body: { version }, throwOnError: true }),
    changes: TEMPLATE_CHANGES,
    onDone: () => toastDone(`Version ${version} sends from now on.`),
    onError: toastError,
  });
  const rollBack = useWrite({
    call: () => rollBackTemplate({ path: { id }, body: { version }, throwOnError: true }),
    changes: TEMPLATE_CHANGES,
    onDone: (made) => {
      setUrl({ version: undefined, before: undefined });
      toastDone(`Version ${made.version} is version ${version} again, and is published.`);
    },
    onError: toastError,
  });
  const sends = status === 'published' ? 'It sends already.' : undefined;
  return (
    <>
      {version !== template.version && (
        <ActionButton
          variant="default"
          loading={rollBack.isPending}
          disabledReason={whyNot}
          onClick={() => rollBack.mutate(undefined)}
        >
          Roll back to it
        </ActionButton>
      )}
      <ActionButton
        variant="default"
        loading={publish.isPending}
        disabledReason={whyNot ?? sends}
        onClick={() => publish.mutate(undefined)}
      >
        Publish it
      </ActionButton>
    </>
  );
}
