import type { FormEvent, ReactNode } from 'react';
import classes from './form.module.css';
import { FormProblem } from './FormProblem.tsx';

interface Props {
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  /** `problem` of `useApiForm`. */
  problem?: unknown;
  children: ReactNode;
  /** The buttons; the one that submits first. */
  actions: ReactNode;
  /** Names the form for a screen reader. */
  label?: string;
  /** The buttons stay in sight, at the bottom of the window, however long the form is. */
  keepsActions?: boolean;
}

/** Fields below each other and the buttons at the end. Nothing is sent twice: give the submit button `loading`. */
export function Form({ onSubmit, problem, children, actions, label, keepsActions = false }: Props) {
  return (
    <form className={classes['form']} noValidate onSubmit={onSubmit} aria-label={label}>
      <FormProblem error={problem} />
      {children}
      <div className={classes['actions']} data-kept={keepsActions || undefined}>
        {actions}
      </div>
    </form>
  );
}

/** Fields that belong together, with a heading and a sentence. */
export function FormGroup({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['legend']}>{title}</legend>
      {description !== undefined && <p className={classes['description']}>{description}</p>}
      <div className={classes['fields']}>{children}</div>
    </fieldset>
  );
}
