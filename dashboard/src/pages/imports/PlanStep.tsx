import { Radio, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ChosenFile } from './FileStep.tsx';
import { choiceOf, readColumns } from './column-names.ts';
import { type Agreement, type ImportPlan, type Meaning, meaningsFor, type TargetKind } from './import-plan.ts';
import { Notice } from '../../ui/Notice.tsx';
import classes from './imports.module.css';
import { ownEntry } from '../../lib/own-entry.ts';

interface Props {
  file: ChosenFile;
  plan: ImportPlan;
  onChange: (plan: ImportPlan) => void;
  kind: TargetKind;
  doubleOptIn: boolean;
}

const AGREEMENTS: readonly { value: Agreement; label: string; description: string; singleOnly?: true }[] = [
  {
    value: 'already_confirmed',
    label: 'Everybody has agreed already',
    description: 'They are active at once. Your declaration is kept in the consent record of each person.',
  },
  {
    value: 'send_confirmation',
    label: 'Ask each person by email',
    description: 'They are pending until they follow the link. The emails leave slowly, in the background.',
  },
  {
    value: 'pending',
    label: 'Add them as pending, and ask nobody',
    description: 'They get no issue before they confirm or sign up again.',
    singleOnly: true,
  },
];

export function PlanStep({ file, plan, onChange, kind, doubleOptIn }: Props) {
  return (
    <>
      <Columns file={file} plan={plan} onChange={onChange} kind={kind} />
      {kind === 'newsletter' && (
        <Radio.Group
          label="How did these people agree?"
          value={plan.agreement ?? null}
          onChange={(value) => onChange({ ...plan, agreement: value as Agreement })}
        >
          <Stack gap={12} mt={8}>
            {AGREEMENTS.filter(({ singleOnly }) => singleOnly !== true || !doubleOptIn).map(
              ({ value, label, description }) => (
                <Radio key={value} size="xs" value={value} label={label} description={description} />
              ),
            )}
          </Stack>
        </Radio.Group>
      )}
      <div>
        <Text size="sm" fw={500} mb={4} id="on-conflict">
          {kind === 'newsletter' ? 'People who are on the list already' : 'People who are contacts already'}
        </Text>
        <SegmentedControl
          aria-labelledby="on-conflict"
          size="xs"
          value={plan.onConflict}
          onChange={(value) => onChange({ ...plan, onConflict: value as ImportPlan['onConflict'] })}
          data={[
            { value: 'skip', label: 'Fill in empty fields' },
            { value: 'upsert', label: 'Overwrite their fields' },
          ]}
        />
      </div>
      {kind === 'newsletter' && (
        <TextInput
          label="Source"
          description="For rows without one. You can filter by it later."
          placeholder="mailchimp"
          maxLength={200}
          value={plan.source}
          onChange={(event) => onChange({ ...plan, source: event.currentTarget.value })}
        />
      )}
    </>
  );
}

/** A column that is left alone is read by its name, as the server will read it. */
function Columns({ file: { columns }, plan, onChange, kind }: Omit<Props, 'doubleOptIn'>) {
  if (columns.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The file has no header with names, so only its addresses are read.
      </Text>
    );
  }
  const setMeaning = (name: string, meaning: string | null) => {
    const { [name]: _gone, ...rest } = plan.meanings;
    // `data` of the Select has only meanings.
    onChange({ ...plan, meanings: meaning === null ? rest : { ...rest, [name]: meaning as Meaning } });
  };
  const read = readColumns(
    columns.map(({ name }) => name),
    plan,
    kind,
  );
  const hasAddress = read.some((one) => typeof one === 'object' && one.field === 'email');
  return (
    <div>
      {!hasAddress && <Notice tone="warn">No column is read as the address. Choose the one that has it.</Notice>}
      <table className={classes['columns']} aria-label="Columns of the file">
        <thead>
          <tr>
            <th scope="col">Column of the file</th>
            <th scope="col" className={classes['samples']}>
              First rows
            </th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ name, samples }, at) => (
            // A file may have two columns of one name.
            <tr key={`${at} ${name}`}>
              <th scope="row">{name === '' ? 'No name' : name}</th>
              <td className={classes['samples']}>{samples.join(' · ')}</td>
              <td>
                <MeaningSelect
                  name={name}
                  choice={choiceOf(read[at] ?? 'ignore', kind)}
                  isChosen={ownEntry(plan.meanings, name) !== undefined}
                  kind={kind}
                  onChange={(next) => setMeaning(name, next)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" mt="xs">
        Posthorn reads a column by its name, such as first_name. Choose another meaning where this one is wrong.
      </Text>
      <SegmentedControl
        aria-label="Columns whose names are not recognised"
        size="xs"
        mt="xs"
        value={plan.otherColumns}
        onChange={(value) => onChange({ ...plan, otherColumns: value as ImportPlan['otherColumns'] })}
        data={[
          { value: 'metadata', label: kind === 'newsletter' ? 'Keep others as metadata' : 'Keep others as properties' },
          { value: 'ignore', label: 'Ignore others' },
        ]}
      />
    </div>
  );
}

interface MeaningProps {
  name: string;
  choice: { value: string; label: string };
  /** By the person; otherwise it follows from the name. */
  isChosen: boolean;
  kind: TargetKind;
  /** null: by its name again. */
  onChange: (meaning: string | null) => void;
}

function MeaningSelect({ name, choice, isChosen, kind, onChange }: MeaningProps) {
  const meanings = meaningsFor(kind);
  const isListed = meanings.some(({ value }) => value === choice.value);
  return (
    <Select
      size="xs"
      aria-label={`Meaning of ${name}`}
      data={isListed ? meanings : [choice, ...meanings]}
      value={choice.value}
      // The one that the name gave is no choice of a person: choosing it says nothing new.
      onChange={(next) => onChange(next === choice.value && !isListed ? null : next)}
      allowDeselect={false}
      clearable={isChosen}
      clearButtonProps={{ 'aria-label': `Read ${name} by its name again` }}
    />
  );
}
