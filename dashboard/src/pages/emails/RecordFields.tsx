import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allNewsletters } from '../../api/all-newsletters.ts';
import {
  listApiKeysOptions,
  listDomainsOptions,
  listIssuesOptions,
  listTemplatesOptions,
} from '../../api/generated/@tanstack/react-query.gen.ts';
import { errorSentence } from '../../lib/api-error.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';
import { readMessageId } from '../../lib/mail/message-id.ts';
import { useDomainName, useIssueName, useKeyName, useNewsletterName, useTemplateName } from './record-names.ts';

/** The newest of a list; the others are found by their id. */
const LISTED = '100';
const FOUND = '20';
const WAIT_MS = 200;

type State = Readonly<
  Partial<Record<'api_key_id' | 'newsletter_id' | 'issue_id' | 'template_id' | 'domain_id', string>>
>;

/** The fields for the records of an email. Their lists are read when the fields are shown. */
export function RecordFields({ state }: { state: State }) {
  const [newsletter, setNewsletter] = useState(state.newsletter_id);
  return (
    <>
      <KeyField id={state.api_key_id} />
      <NewsletterField id={newsletter} onChange={setNewsletter} />
      <IssueField key={newsletter} newsletterId={newsletter} of={state} />
      <TemplateField id={state.template_id} />
      <DomainField id={state.domain_id} />
    </>
  );
}

interface Option {
  value: string;
  label: string;
}

interface Read<T> {
  data: T | undefined;
  error: Error | null;
}

function KeyField({ id }: { id: string | undefined }) {
  const { data, error }: Read<{ data: { id: string; name: string }[] }> = useQuery(
    listApiKeysOptions({ query: { limit: LISTED } }),
  );
  const options = data?.data.map((key) => ({ value: key.id, label: key.name }));
  return (
    <RecordField
      name="api_key_id"
      label="API key"
      options={options}
      error={error}
      start={id}
      chosenName={useKeyName(id)}
    />
  );
}

function NewsletterField({ id, onChange }: { id: string | undefined; onChange: (id: string | undefined) => void }) {
  const { data, error } = useQuery(allNewsletters);
  const options = data?.map((one) => ({ value: one.id, label: one.name }));
  return (
    <RecordField
      name="newsletter_id"
      label="Newsletter"
      options={options}
      error={error}
      start={id}
      chosenName={useNewsletterName(id)}
      onChange={onChange}
    />
  );
}

/** Issues have no list but that of their newsletter. */
function IssueField({ newsletterId, of }: { newsletterId: string | undefined; of: State }) {
  const start = of.newsletter_id === newsletterId ? of.issue_id : undefined;
  const { data, error } = useQuery({
    ...listIssuesOptions({ path: { id: newsletterId ?? '' }, query: { limit: LISTED } }),
    enabled: newsletterId !== undefined,
  });
  const options = data?.data.map(({ id, subject }) => ({ value: id, label: shownSubject(subject) || 'No subject' }));
  return (
    <RecordField
      name="issue_id"
      label="Issue"
      placeholder={newsletterId === undefined ? 'Choose a newsletter first' : 'Every issue'}
      options={newsletterId === undefined ? [] : options}
      error={error}
      start={start}
      chosenName={useIssueName(newsletterId, start)}
    />
  );
}

function TemplateField({ id }: { id: string | undefined }) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT_MS);
  const { data, error, isFetching } = useQuery({
    ...listTemplatesOptions({ query: { limit: FOUND, ...(search === '' ? {} : { search }) } }),
    placeholderData: keepPreviousData,
  });
  const options = data?.data.map((one) => ({ value: one.id, label: one.name }));
  return (
    <RecordField
      name="template_id"
      label="Template"
      options={isFetching && data === undefined ? undefined : options}
      error={error}
      start={id}
      chosenName={useTemplateName(id)}
      onSearch={setTyped}
    />
  );
}

function DomainField({ id }: { id: string | undefined }) {
  const { data, error } = useQuery(listDomainsOptions());
  const options = data?.data.map((one) => ({ value: one.id, label: one.domain }));
  return (
    <RecordField
      name="domain_id"
      label="Domain"
      options={options}
      error={error}
      start={id}
      chosenName={useDomainName(id)}
    />
  );
}

interface FieldProps {
  name: string;
  label: string;
  placeholder?: string;
  /** Undefined: they are still read. */
  options: readonly Option[] | undefined;
  error: Error | null;
  /** The id that the address has. */
  start: string | undefined;
  chosenName: string | undefined;
  onChange?: (id: string | undefined) => void;
  /** Given where the server searches. */
  onSearch?: (text: string) => void;
}

/** Chosen by its name; a whole id can be typed too, for a record that is in no list. */
function RecordField({ name, label, placeholder, options, error, start, chosenName, onChange, onSearch }: FieldProps) {
  const [chosen, setChosen] = useState(start === undefined ? undefined : { value: start, label: start });
  const [typed, setTyped] = useState('');
  const found = readMessageId(typed.trim());
  const named = chosen !== undefined && chosen.value === start ? { ...chosen, label: chosenName ?? start } : chosen;
  const all = [
    ...(named === undefined ? [] : [named]),
    ...(options ?? []),
    ...(found !== undefined && 'id' in found ? [{ value: found.id, label: found.id }] : []),
  ];
  const known = new Map(all.toReversed().map((one) => [one.value, one])); // the first of two stays
  return (
    <Select
      size="xs"
      name={name}
      label={label}
      placeholder={placeholder ?? `Every ${label === 'API key' ? 'API key' : label.toLowerCase()}`}
      data={[...known.values()].toReversed()}
      value={chosen?.value ?? null}
      onChange={(next) => {
        setChosen(next === null ? undefined : known.get(next));
        onChange?.(next ?? undefined);
      }}
      searchable
      clearable
      onSearchChange={(text) => {
        setTyped(text);
        // The field shows the chosen name, which is no search.
        if (![...known.values()].some((one) => one.label === text)) onSearch?.(text);
      }}
      {...(onSearch === undefined ? {} : { filter: ({ options: searched }) => searched })}
      error={error === null ? undefined : errorSentence(error)}
      nothingFoundMessage={options === undefined ? 'Loading …' : 'Nothing has these letters'}
      maxDropdownHeight={220}
      // A click into a list outside of the popover would close the popover.
      comboboxProps={{ withinPortal: false }}
    />
  );
}
