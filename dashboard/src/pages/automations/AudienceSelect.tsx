import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allNewsletters } from '../../api/all-newsletters.ts';
import { allLists } from '../../api/audience.ts';

interface Props {
  /** The empty choice, where no choice means all. */
  any?: string;
  value: string;
  error?: string | undefined;
  readOnly: boolean;
  /** An empty text: the empty choice. */
  onChange: (id: string) => void;
}

export function NewsletterSelect(props: Props) {
  const { data = [] } = useQuery(allNewsletters);
  return <AudienceSelect label="Newsletter" records={data} {...props} />;
}

export function ListSelect(props: Props) {
  const { data = [] } = useQuery(allLists);
  return <AudienceSelect label="List" records={data} {...props} />;
}

interface RecordProps extends Props {
  label: string;
  records: readonly { id: string; name: string }[];
}

/** One record by its name. One that is not there any more is shown by its id. */
export function AudienceSelect({ label, records, any, value, onChange, ...shown }: RecordProps) {
  const named = records.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = value === '' || named.some((one) => one.value === value);
  return (
    <Select
      {...shown}
      label={label}
      placeholder={`Choose a ${label.toLowerCase()}`}
      data={[
        ...(any === undefined ? [] : [{ value: '', label: any }]),
        ...named,
        ...(isKnown ? [] : [{ value, label: value }]),
      ]}
      value={value === '' && any === undefined ? null : value}
      onChange={(next) => onChange(next ?? '')}
      searchable
      allowDeselect={false}
    />
  );
}
