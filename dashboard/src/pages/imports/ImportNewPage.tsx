import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { getImportOptions, getNewsletterOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { importSubscribers } from '../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../api/session.ts';
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
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EMPTY_PLAN, type ImportPlan, queryOf } from './import-plan.ts';
import { isRunning } from './import-words.ts';
import { type ChosenFile, FileStep } from './FileStep.tsx';
import classes from './imports.module.css';

const PlanStep = lazyPart(() => import('./PlanStep.tsx').then((file) => file.PlanStep));
const ImportOutcome = lazyPart(() => import('./ImportOutcome.tsx').then((file) => file.ImportOutcome));

const POLL_MS = 700;

/** From a file to people on a list: the file, the meaning of its columns, a dry run, and only then the import. */
export function ImportNewPage() {
  const { id = '' } = useParams({ strict: false });
  const router = useRouter();
  const whyNot = useWhyNot('subscribers:write');
  const [file, setFile] = useState<ChosenFile>();
  const [plan, setPlan] = useState<ImportPlan>(EMPTY_PLAN);
  const { data: newsletter } = useQuery(getNewsletterOptions({ path: { id } }));
  const send = (dryRun: boolean) => (chosen: ChosenFile) =>
    importSubscribers({
      path: { id },
      // The generator names the body of a file a string; the client sends a file as it is, without reading it whole.
      body: chosen.file as unknown as string,
      headers: { 'Content-Type': chosen.isJson ? 'application/jsonl' : 'text/csv' },
      query: queryOf(plan, { dryRun }),
      throwOnError: true,
    });
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
    setPlan({ ...plan, meanings: {} });
    dryRun.reset();
  };
  const needsAgreement = plan.agreement === undefined ? 'Say first how the people in the file agreed.' : undefined;
  return (
    <div className={classes['page']}>
      <PageHeader
        title="Import subscribers"
        description="Nothing changes before you have seen what would happen. Nobody who left is brought back."
        crumbs={[
          { label: 'Newsletters', href: pb.newsletters() },
          { label: newsletter?.name ?? 'Newsletter', href: pb.newsletterTab(id, 'subscribers') },
        ]}
        actions={
          <CurlButton
            call={{
              method: 'POST',
              path: withQuery(`/v1/newsletters/${id}/subscribers/import`, queryOf(plan, { dryRun: true })),
              headers: { 'Content-Type': file?.isJson === true ? 'application/jsonl' : 'text/csv' },
            }}
          />
        }
      />
      <Step number={1} title="Choose the file">
        <FileStep file={file} onChange={choose} />
      </Step>
      {file !== undefined && (
        <Step number={2} title="Say what it means">
          <PlanStep file={file} plan={plan} onChange={change} doubleOptIn={newsletter?.double_opt_in ?? true} />
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
  problem: unknown;
  isStarting: boolean;
  whyNot: string | undefined;
  onImport: () => void;
}

function DryRun({ id, problem, isStarting, whyNot, onImport }: DryRunProps) {
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
