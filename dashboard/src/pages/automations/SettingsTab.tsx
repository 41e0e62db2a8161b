import { Button, Select, Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { updateAutomation } from '../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { ApiError, faultsOf } from '../../lib/api-error.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Form, FormGroup } from '../../ui/form/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import classes from './automations.module.css';
import { AUTOMATION_CHANGES } from './automation-state.ts';
import { DeleteAutomation } from './DeleteAutomation.tsx';
import { DurationInput } from './DurationInput.tsx';
import { type SavedAutomation, savedAutomation, savedOf } from './saved-automation.ts';
import { AFTER, changeOf, faultsInside, type SettingsValues, valuesOf } from './settings-form.ts';
import { atField } from './steps/step-faults.ts';
import { TriggerFields } from './TriggerFields.tsx';

const REENTRY = [
  { value: 'once', label: 'Once' },
  { value: 'every', label: 'Every time' },
  { value: AFTER, label: 'Again after some time' },
];
const FRESH = { type: 'newsletter_unsubscribed' };
const FIELDS = ['name', 'reentry', 'correlation'];

/** The name, who gets in again, and the events that end a run at any moment. */
export function SettingsTab({ saved }: { saved: SavedAutomation }) {
  // A version that was saved elsewhere is shown when nothing is being written.
  const [opened, setOpened] = useState(saved);
  const [values, setValues] = useState<SettingsValues>(() => valuesOf(saved.automation));
  const isDirty = Object.keys(changeOf(values, opened.automation)).length > 0;
  if (opened.etag !== saved.etag && !isDirty) {
    setOpened(saved);
    setValues(valuesOf(saved.automation));
  }
  return (
    <div className={classes['narrow']}>
      <SettingsForm
        opened={opened}
        values={values}
        onChange={(change) => setValues({ ...values, ...change })}
        onReset={(now) => {
          setOpened(now);
          setValues(valuesOf(now.automation));
        }}
      />
      <DeleteAutomation automation={saved.automation} />
    </div>
  );
}

interface FormProps {
  opened: SavedAutomation;
  values: SettingsValues;
  onChange: (change: Partial<SettingsValues>) => void;
  onReset: (now: SavedAutomation) => void;
}

function SettingsForm({ opened, values, onChange, onReset }: FormProps) {
  const { automation, etag } = opened;
  const path = { id: automation.id };
  const queries = useQueryClient();
  const mayWrite = useWhyNot('automations:write');
  const maySend = useWhyNot('emails:send');
  const closed = mayWrite ?? (automation.status === 'enabled' ? maySend : undefined);
  const readOnly = closed !== undefined;
  const change = changeOf(values, automation);
  const isDirty = Object.keys(change).length > 0;
  const write = useWrite({
    call: async () =>
      Promise.resolve({
        data: savedOf(
          await updateAutomation({ path, headers: { 'If-Match': etag }, body: change, throwOnError: true }),
        ),
      }),
    changes: AUTOMATION_CHANGES,
    onDone: (now) => settle(now),
    onError: async (error) => {
      if (error.status !== 409) return;
      const now = await readNow().catch(() => undefined); // the conflict is shown then
      // Settings that say what is chosen here are no conflict: the answer to our own save was lost.
      if (now === undefined || Object.keys(changeOf(values, now.automation)).length > 0) return;
      write.reset();
      settle(now);
    },
  });
  const readNow = () => queries.fetchQuery({ ...savedAutomation(path.id), staleTime: 0 });
  const settle = (now: SavedAutomation) => {
    queries.setQueryData(savedAutomation(path.id).queryKey, now);
    onReset(now);
    toastDone('The settings are saved.');
  };
  const isConflict = write.error instanceof ApiError && write.error.status === 409;
  const faults = Object.fromEntries(
    faultsOf(write.error).flatMap(({ param, sentence }) =>
      param === undefined ? [] : [[param, atField(sentence, param)]],
    ),
  );
  const hasRest = faultsOf(write.error).some(
    ({ param = '' }) => !FIELDS.includes(param) && !/^(goal|exit_on\[\d+\])\./.test(param),
  );
  const isAfter = values.reentry.startsWith(AFTER);
  const setExit = (at: number, exit: SettingsValues['goal']) =>
    onChange({
      exit_on: values.exit_on.flatMap((one, index) => (index === at ? (exit === null ? [] : [exit]) : [one])),
    });
  return (
    <Form
      label="Settings"
      problem={write.error !== null && !isConflict && hasRest ? write.error : undefined}
      onSubmit={(event) => {
        event?.preventDefault();
        if (isDirty && !readOnly) write.mutate(undefined);
      }}
      actions={
        <ActionButton
          type="submit"
          loading={write.isPending}
          disabledReason={closed ?? (isDirty ? undefined : 'Nothing is changed.')}
        >
          Save settings
        </ActionButton>
      }
    >
      {closed !== undefined && <Notice tone="info">{closed}</Notice>}
      {isConflict && (
        <Notice
          tone="warn"
          action={
            <ActionButton
              variant="default"
              onClick={async () => {
                onReset(await readNow());
                write.reset();
              }}
            >
              Take theirs
            </ActionButton>
          }
        >
          Somebody else changed this automation while you wrote. Look at theirs, and make your change again.
        </Notice>
      )}
      <TextInput
        label="Name"
        value={values.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        error={faults['name']}
        readOnly={readOnly}
        maxLength={200}
      />
      <FormGroup title="How often" description="How often a person may enter a version.">
        <Select
          label="A person gets in"
          data={REENTRY}
          value={isAfter ? AFTER : values.reentry}
          onChange={(next) => onChange({ reentry: next === AFTER ? 'after:30 days' : (next ?? 'once') })}
          error={isAfter ? undefined : faults['reentry']}
          readOnly={readOnly}
          allowDeselect={false}
        />
        {isAfter && (
          <DurationInput
            label="After"
            value={values.reentry.slice(AFTER.length)}
            error={faults['reentry']}
            readOnly={readOnly}
            onChange={(duration) => onChange({ reentry: `${AFTER}${duration}` })}
          />
        )}
        <TextInput
          label="Runs are told apart by"
          description="A field of the payload, such as order_id: then this counts for each of its values."
          placeholder="Nothing but the person"
          value={values.correlation}
          onChange={(event) => onChange({ correlation: event.currentTarget.value })}
          error={faults['correlation']}
          readOnly={readOnly}
          spellCheck={false}
          maxLength={200}
        />
      </FormGroup>
      <FormGroup title="Goal" description="An event that completes a run at any moment, also during a wait.">
        <Switch
          size="xs"
          label="It has a goal"
          checked={values.goal !== null}
          disabled={readOnly}
          onChange={(event) => onChange({ goal: event.currentTarget.checked ? { type: 'email_clicked' } : null })}
        />
        {values.goal !== null && (
          <TriggerFields
            label="The goal is reached when"
            value={values.goal}
            faults={faultsInside(faults, 'goal')}
            readOnly={readOnly}
            onChange={(goal) => onChange({ goal })}
          />
        )}
      </FormGroup>
      <FormGroup title="Exits" description="Events that end a run at any moment, as exited.">
        {values.exit_on.map((exit, index) => (
          // Exits have no id; they are changed in place, so the position names one.
          <div key={index} className={classes['ending']}>
            <TriggerFields
              label={`Exit ${index + 1}`}
              value={exit}
              faults={faultsInside(faults, `exit_on[${index}]`)}
              readOnly={readOnly}
              onChange={(next) => setExit(index, next)}
            />
            {!readOnly && (
              <Button
                variant="subtle"
                size="xs"
                className={classes['small'] ?? ''}
                onClick={() => setExit(index, null)}
              >
                Remove exit {index + 1}
              </Button>
            )}
          </div>
        ))}
        {!readOnly && (
          <Button
            className={classes['small'] ?? ''}
            variant="default"
            size="xs"
            leftSection={<Plus size={14} />}
            onClick={() => onChange({ exit_on: [...values.exit_on, FRESH] })}
          >
            Add an exit
          </Button>
        )}
      </FormGroup>
    </Form>
  );
}
