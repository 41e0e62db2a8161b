import { Button } from '@mantine/core';
import type { Contact } from '../../api/generated/types.gen.ts';
import { ChangedFields } from '../../ui/data/ChangedFields.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { valuesOf } from './contact-form.ts';
import classes from './contacts.module.css';
import { fieldWords } from '../../lib/action-words.ts';
import { ownEntry } from '../../lib/own-entry.ts';

interface Props {
  theirs: Contact;
  before: Contact;
  isSaving: boolean;
  onMine: () => void;
  onTheirs: () => void;
}

const FIELDS = ['email', 'first_name', 'last_name', 'name', 'timezone', 'language'] as const;

/** A property has the name that somebody gave it. */
const wordsOf = (name: string): string | undefined =>
  name === 'unsubscribed' || FIELDS.some((field) => field === name) ? fieldWords(name) : undefined;

/** Every field that somebody else has changed in the meantime. */
function changesOf(before: Contact, theirs: Contact) {
  const keys = new Set([...Object.keys(before.properties), ...Object.keys(theirs.properties)]);
  // As the form has them: a name that is made of two others is no field of its own.
  const [was, is] = [valuesOf(before, []), valuesOf(theirs, [])];
  const pairs = [
    ...FIELDS.map((name) => [name, was[name], is[name]] as const),
    ['unsubscribed', before.unsubscribed, theirs.unsubscribed] as const,
    ...[...keys].map(
      (key) => [key, ownEntry(before.properties, key) ?? null, ownEntry(theirs.properties, key) ?? null] as const,
    ),
  ];
  return Object.fromEntries(
    pairs.filter(([, old, now]) => old !== now).map(([name, old, now]) => [name, { before: old, after: now }]),
  );
}

/** The contact has changed since the form was opened. The person chooses what stands. */
export function ContactConflict({ theirs, before, isSaving, onMine, onTheirs }: Props) {
  return (
    <section aria-label="Two versions" className={classes['conflict']}>
      <Notice tone="warn">Somebody else changed this contact while you wrote. They changed:</Notice>
      <ChangedFields changes={changesOf(before, theirs)} wordsOf={wordsOf} />
      <div className={classes['pages']}>
        <Button onClick={onMine} loading={isSaving}>
          Save yours over it
        </Button>
        <Button variant="default" onClick={onTheirs}>
          Take theirs
        </Button>
      </div>
    </section>
  );
}
