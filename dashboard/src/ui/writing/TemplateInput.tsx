import { ActionIcon } from '@mantine/core';
import { Braces } from 'lucide-react';
import { useRef } from 'react';
import { writtenVariable } from '../../lib/blocks/template-text.ts';
import type { VariableChoice } from '../editor/editor-types.ts';
import { LaterMenu } from '../menu/LaterMenu.tsx';
import { VariableInput } from './VariableInput.tsx';
import classes from './writing.module.css';

interface Props {
  label: string;
  description?: string;
  value: string;
  maxLength: number;
  readOnly: boolean;
  variables: readonly VariableChoice[];
  onChange: (value: string) => void;
}

/** A line of text in which values of the reader may stand. */
export function TemplateInput({ label, description, value, maxLength, readOnly, variables, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const insert = ({ path, fallback }: VariableChoice) => {
    const text = writtenVariable({ path, fallback: fallback ?? '' });
    const from = input.current?.selectionStart ?? value.length;
    const to = input.current?.selectionEnd ?? from;
    onChange(value.slice(0, from) + text + value.slice(to));
  };
  return (
    <div className={classes['line']}>
      <VariableInput
        ref={input}
        label={label}
        description={description}
        value={value}
        maxLength={maxLength}
        readOnly={readOnly}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {!readOnly && (
        <LaterMenu
          position="bottom-end"
          target={
            <ActionIcon variant="default" size={36} aria-label={`Insert a variable into the ${label.toLowerCase()}`}>
              <Braces size={15} />
            </ActionIcon>
          }
        >
          {(Menu) => (
            <>
              {variables.map((choice) => (
                <Menu.Item key={choice.path} onClick={() => insert(choice)}>
                  {choice.label}
                </Menu.Item>
              ))}
              <Menu.Label maw={220}>Double-click a variable, or press F2 beside it, to change its fallback.</Menu.Label>
            </>
          )}
        </LaterMenu>
      )}
    </div>
  );
}
