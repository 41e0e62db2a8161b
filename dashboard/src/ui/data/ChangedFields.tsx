import { fieldWords, sentence } from '../../lib/action-words.ts';
import type { Change } from '../../lib/changed-fields.ts';
import classes from './ChangedFields.module.css';

interface Props {
  changes: Readonly<Record<string, Change>>;
  /** Undefined for a name that somebody gave, which is shown as it is. A field of the API is shown as words. */
  wordsOf?: (field: string) => string | undefined;
}

/** The fields that a change touched, each with its value before and after. */
export function ChangedFields({ changes, wordsOf = fieldWords }: Props) {
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
            <th scope="row">{nameOf(field, wordsOf(field))}</th>
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

const nameOf = (field: string, words: string | undefined): string => (words === undefined ? field : sentence(words));

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
