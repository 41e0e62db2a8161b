import { ActionIcon } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { AutomationStep } from '../../../api/generated/types.gen.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { LaterMenu } from '../../../ui/menu/LaterMenu.tsx';
import classes from './steps.module.css';
import { kindOf, STEP_TYPES } from './step-kinds.ts';

interface Props {
  label: string;
  /** Between two steps, where it is small. */
  isBetween?: boolean;
  onAdd: (type: AutomationStep['type']) => void;
}

/** Chooses the kind of a new step. */
export function AddStep({ label, isBetween = false, onAdd }: Props) {
  return (
    <LaterMenu
      position="bottom-start"
      width={300}
      target={
        isBetween ? (
          <ActionIcon className={classes['between'] ?? ''} variant="default" size={22} radius="xl" aria-label={label}>
            <Plus size={13} />
          </ActionIcon>
        ) : (
          <ActionButton variant="default" size="xs" leftSection={<Plus size={14} />}>
            {label}
          </ActionButton>
        )
      }
    >
      {(Menu) => (
        <>
          {STEP_TYPES.map((type) => {
            const { label: words, description, icon: Icon } = kindOf(type);
            return (
              <Menu.Item key={type} leftSection={<Icon size={16} />} onClick={() => onAdd(type)}>
                {words}
                <span className={classes['choice']}>{description}</span>
              </Menu.Item>
            );
          })}
        </>
      )}
    </LaterMenu>
  );
}
