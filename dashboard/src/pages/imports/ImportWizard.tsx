import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { getImportOptions, getRememberedColumnMapOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Import } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { withQuery } from '../../lib/curl.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { counted } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { FormProblem } from '../../ui/form/FormProblem.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { type Crumb, PageHeader } from '../../ui/PageHeader.tsx';
import { meaningsByContent } from './column-names.ts';
import { EMPTY_PLAN, fieldsInWords, type ImportPlan, meaningsOf, queryOf, type TargetKind } from './import-plan.ts';
import { isRunning } from './import-words.ts';
import { type ChosenFile, FileStep } from './FileStep.tsx';
import classes from './imports.module.css';

const PlanStep = lazyPart(() => import('./PlanStep.tsx').then((file) => file.PlanStep));
const ImportOutcome = lazyPart(() => import('./ImportOutcome.tsx').then((file) => file.ImportOutcome));

const POLL_MS = 700;

export type ImportQuery = ReturnType<typeof queryOf>;

interface Props {
  title: string;
  crumbs: readonly Crumb[];
  /** The address that takes the file. */
  path: string;
  kind: TargetKind;
  /** Of a newsletter: new people must say yes in an email. */
  doubleOptIn?: boolean;
  upload: (file: string, headers: { 'Content-Type': string }, query: ImportQuery) => Promise<{ data: Import }>;
  whyNot: string | undefined;
}

/** From a file to people: the file, the meaning of its columns, a dry run, and only then the import. */
export function ImportWizard({ title, crumbs, path, kind, doubleOptIn = true, upload, whyNot }: Props) {
  const router = useRouter();
  const [file, setFile] = useState<ChosenFile>();
  const [plan, setPlan] = useState<ImportPlan>(EMPTY_PLAN);
  const send = (dryRun: boolean) => (chosen: ChosenFile) =>
    upload(
      // The generator names the body of a file a string; the client sends a file as it is, without reading it whole.
      chosen.file as unknown as string,
      { 'Content-Type': typeOf(chosen) },
      queryOf(plan, { dryRun, kind }),
    );
  const dryRun = useWrite({ call: send(true), changes: ['listImports'] });
  const real = useWrite({
    call: send(false),
    changes: ['listImports'],
    onDone: (made) => router.history.push(pb.import(made.id)),
  });
  const change = (next: ImportPlan) => {
    setPlan(next);
    dryRun.reset();
  };
  const choose = (next: ChosenFile | undefined) => {
    setFile(next);
    setPlan({ ...plan, meanings: meaningsByContent(next?.columns ?? [], kind) });
    dryRun.reset();
  };
  const columns = file?.columns.map(({ name }) => name) ?? [];
  const { data: remembered } = useQuery({
    ...getRememberedColumnMapOptions({ query: { target_type: kind, columns: JSON.stringify(columns) } }),
    enabled: columns.length > 0,
  });
  const lastMeanings = meaningsOf(remembered?.column_map ?? {});
  const byContent = meaningsByContent(file?.columns ?? [], kind);
  const isUntouched = Object.entries(plan.meanings).every(([name, meaning]) => byContent[name] === meaning);
  const isOffered = Object.keys(lastMeanings).length > 0 && isUntouched;
  const needsAgreement =
    kind === 'newsletter' && plan.agreement === undefined ? 'Say first how the people in the file agreed.' : undefined;
  return (
    <div className={classes['page']}>
      <PageHeader
        title={title}
        description="Nothing changes before you have seen what would happen. Nobody who left is brought back."
        crumbs={crumbs}
        actions={
          <CurlButton
            call={{
              method: 'POST',
              path: withQuery(path, queryOf(plan, { dryRun: true, kind })),
              headers: { 'Content-Type': typeOf(file) },
            }}
          />
        }
      />
      <Step number={1} title="Choose the file">
        <FileStep file={file} onChange={choose} />
      </Step>
      {file !== undefined && (
        <Step number={2} title="Match the columns">
          {isOffered && (
            <Notice
              tone="info"
              action={
                <Button variant="default" size="xs" onClick={() => change({ ...plan, meanings: lastMeanings })}>
                  Use them again
                </Button>
              }
            >
              The last file with these columns was imported with meanings that somebody chose.
            </Notice>
          )}
          <PlanStep file={file} plan={plan} onChange={change} kind={kind} doubleOptIn={doubleOptIn} />
        </Step>
      )}
      {file !== undefined && (
        <Step number={3} title="Try it">
          <FormProblem error={dryRun.error ?? undefined} />
          {dryRun.data === undefined ? (
            <div>
              <ActionButton
                loading={dryRun.isPending}
                disabledReason={whyNot ?? needsAgreement}
                onClick={() => dryRun.mutate(file)}
              >
                Start the dry run
              </ActionButton>
            </div>
          ) : (
            <DryRun
              id={dryRun.data.id}
              kind={kind}
              problem={real.error ?? undefined}
              isStarting={real.isPending}
              whyNot={whyNot}
              onImport={() => real.mutate(file)}
            />
          )}
        </Step>
      )}
      <UnsavedGuard
        when={file !== undefined && !real.isPending && !real.isSuccess}
        what="The file is not imported yet."
      />
    </div>
  );
}

const typeOf = (file: ChosenFile | undefined): string => (file?.isJson === true ? 'application/jsonl' : 'text/csv');

function Step({ number, title, children }: { number: number; title: string; children: React.ReactNode }) {
  return (
    <section className={classes['step']} aria-labelledby={`step-${number}`}>
      <h2 id={`step-${number}`} className={classes['stepTitle']}>
        <span className={classes['number']} aria-hidden="true">
          {number}
        </span>
        {title}
      </h2>
      <div className={classes['stepBody']}>{children}</div>
    </section>
  );
}

interface DryRunProps {
  id: string;
  kind: TargetKind;
  problem: unknown;
  isStarting: boolean;
  whyNot: string | undefined;
  onImport: () => void;
}

function DryRun({ id, kind, problem, isStarting, whyNot, onImport }: DryRunProps) {
  const { data: record, error } = useQuery({
    ...getImportOptions({ path: { id } }),
    refetchInterval: ({ state }) => (state.data === undefined || isRunning(state.data) ? POLL_MS : false),
  });
  if (error !== null) return <FormProblem error={error} />;
  if (record === undefined) return null;
  if (record.status === 'failed') return <Notice tone="bad">{record.error ?? 'The file cannot be read.'}</Notice>;
  const { created, updated } = record.counts;
  const taken = created + updated;
  const nothing = taken === 0 ? 'The file would add and change nobody.' : undefined;
  return (
    <>
      <ImportOutcome record={record} />
      {record.columns !== null && record.columns.recognised.length > 0 && (
        <Text size="sm">The columns were read as: {fieldsInWords(record.columns.recognised, kind)}.</Text>
      )}
      {record.columns !== null && record.columns.ignored.length > 0 && (
        <Notice tone="warn">These columns are ignored: {record.columns.ignored.join(', ')}.</Notice>
      )}
      {!isRunning(record) && (
        <>
          <FormProblem error={problem} />
          <div>
            <ActionButton loading={isStarting} disabledReason={whyNot ?? nothing} onClick={onImport}>
              {`Import ${counted(taken, 'person', 'people')}`}
            </ActionButton>
          </div>
        </>
      )}
    </>
  );
}
