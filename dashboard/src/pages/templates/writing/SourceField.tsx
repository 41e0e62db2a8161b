import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { ApiForm } from '../../../lib/use-api-form.ts';
import { HtmlSource } from '../../../ui/editor/later-source.tsx';
import type { TemplateValues } from './template-form.ts';
import classes from '../templates.module.css';

const PARTS = [
  { value: 'html', label: 'HTML' },
  { value: 'text', label: 'Text' },
];

interface Props {
  fields: ApiForm<TemplateValues>['fields'];
  /** Another number: the texts were replaced from outside. */
  opening: number;
  readOnly: boolean;
}

/** The sources as they are: what is not typed in is never written. */
export function SourceField({ fields, opening, readOnly }: Props) {
  const [part, setPart] = useState<'html' | 'text'>('html');
  const { html, text } = fields.values;
  const refused = PARTS.filter(({ value }) => fields.errors[value] !== undefined);
  return (
    <div className={classes['stack']}>
      <div className={classes['bar']} style={{ margin: 0 }}>
        <SegmentedControl
          size="xs"
          aria-label="Part"
          data={PARTS}
          value={part}
          onChange={(next) => setPart(next as 'html' | 'text')} // one of PARTS
        />
        <p className={classes['note']}>
          {part === 'text' && text === ''
            ? 'Without a text, one is made from the HTML.'
            : 'Liquid, kept as you type it.'}
        </p>
      </div>
      {refused.map(({ value, label }) => (
        <p key={value} role="alert" className={classes['wrong']}>
          {label}: {fields.errors[value]}
        </p>
      ))}
      <HtmlSource
        key={`${part} ${opening}`}
        value={part === 'html' ? html : text}
        label={part === 'html' ? 'HTML of the template' : 'Text of the template'}
        readOnly={readOnly}
        onChange={(next) => {
          fields.setFieldValue(part, next);
          fields.clearFieldError(part);
        }}
      />
    </div>
  );
}
