import type { Change } from '../../lib/changed-fields.ts';
import classes from './ChangedFields.module.css';

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

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
