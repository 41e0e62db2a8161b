import classes from './ChangedFields.module.css';

interface Change {
  before: unknown;
  after: unknown;
}

/** The fields that a change touched, each with its value before and after. */
export function ChangedFields({ changes }: { changes: Readonly<Record<string, Change>> }) {
  return (
    <table className={classes['changes']}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(changes).map(([field, { before, after }]) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>
              <del>{inWords(before)}</del>
            </td>
            <td>
              <ins>{inWords(after)}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The changes in the details of an entry of a log; undefined when it has none. */
export function changesOf(details: Readonly<Record<string, unknown>>): Record<string, Change> | undefined {
  const { changes } = details;
  if (typeof changes !== 'object' || changes === null) return undefined;
  const read = Object.entries(changes).filter((pair): pair is [string, Change] => isChange(pair[1]));
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

const isChange = (value: unknown): value is Change => typeof value === 'object' && value !== null && 'after' in value;

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
