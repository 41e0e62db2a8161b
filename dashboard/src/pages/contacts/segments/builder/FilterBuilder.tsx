import { ActionIcon, SegmentedControl } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { ActionButton } from '../../../../ui/ActionButton.tsx';
import classes from './builder.module.css';
import { Condition } from './Condition.tsx';
import {
  CONDITIONS_MAX,
  changeNode,
  countParts,
  DEPTH_MAX,
  type FilterNode,
  type GroupNode,
  newCondition,
  newGroup,
} from './filter-tree.ts';
import type { AllNames } from './use-names.ts';

export interface NodeFault {
  id: string;
  sentence: string;
}

interface Props {
  tree: GroupNode;
  onChange: (tree: GroupNode) => void;
  names: AllNames;
  /** The segment itself, which cannot name itself. */
  segmentId: string | undefined;
  /** A refusal of the server, at its condition. */
  fault: NodeFault | undefined;
  readOnly: string | undefined;
}

interface Shared extends Omit<Props, 'tree' | 'onChange'> {
  change: (id: string, how: (node: FilterNode) => FilterNode | undefined) => void;
  /** Conditions and groups of the whole filter. */
  count: number;
  focus: (id: string) => void;
}

/** Conditions in groups, which may have groups. */
export function FilterBuilder({ tree, onChange, ...rest }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const focus = (id: string) =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-node="${id}"] input`)?.focus());
  const shared: Shared = {
    ...rest,
    focus,
    count: countParts(tree),
    change: (id, how) => onChange(changeNode(tree, id, how)),
  };
  return (
    <div ref={root}>
      <Group group={tree} depth={1} place="" shared={shared} />
    </div>
  );
}

interface GroupProps {
  group: GroupNode;
  depth: number;
  /** "2.1": the second part of the filter, and of that the first. Empty is the whole filter. */
  place: string;
  shared: Shared;
}

const MATCHES = [
  { value: 'all', label: 'All' },
  { value: 'any', label: 'Any' },
];

function Group({ group, depth, place, shared }: GroupProps) {
  const { change, focus, count, readOnly } = shared;
  const name = place === '' ? 'the filter' : `group ${place}`;
  const full = count >= CONDITIONS_MAX ? `A filter has at most ${CONDITIONS_MAX} conditions and groups.` : undefined;
  const deep = depth >= DEPTH_MAX ? `Groups nest to a depth of ${DEPTH_MAX}.` : undefined;
  const add = (node: FilterNode) => {
    change(group.id, (old) => (old.kind === 'group' ? { ...old, parts: [...old.parts, node] } : old));
    focus(node.id);
  };
  return (
    <fieldset className={classes['group']} data-depth={depth} data-node={group.id}>
      <legend className={classes['legend']}>{place === '' ? 'Contacts who meet' : `Group ${place}`}</legend>
      <div className={classes['match']}>
        <SegmentedControl
          size="xs"
          aria-label={`How many conditions of ${name} must hold`}
          data={MATCHES}
          value={group.match}
          readOnly={readOnly !== undefined}
          onChange={(match) =>
            change(group.id, (old) => ({ ...old, match: match === 'any' ? 'any' : 'all' }) as GroupNode)
          }
        />
        <span className={classes['words']}>of these conditions</span>
        {place !== '' && readOnly === undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name}`}
            className={classes['end']}
            onClick={() => change(group.id, () => undefined)}
          >
            <X size={14} />
          </ActionIcon>
        )}
      </div>
      <div className={classes['parts']}>
        {group.parts.map((part, at) => {
          const ownPlace = place === '' ? `${at + 1}` : `${place}.${at + 1}`;
          return part.kind === 'group' ? (
            <Group key={part.id} group={part} depth={depth + 1} place={ownPlace} shared={shared} />
          ) : (
            <Condition
              key={part.id}
              node={part}
              place={ownPlace}
              names={shared.names}
              segmentId={shared.segmentId}
              fault={shared.fault?.id === part.id ? shared.fault.sentence : undefined}
              readOnly={readOnly}
              onChange={(next) => change(part.id, () => next)}
              onRemove={() => change(part.id, () => undefined)}
            />
          );
        })}
      </div>
      {readOnly === undefined && (
        <div className={classes['match']}>
          <ActionButton
            variant="default"
            size="xs"
            leftSection={<Plus size={14} />}
            disabledReason={full}
            onClick={() => add(newCondition())}
            aria-label={`Add a condition to ${name}`}
          >
            Condition
          </ActionButton>
          <ActionButton
            variant="default"
            size="xs"
            leftSection={<Plus size={14} />}
            disabledReason={full ?? deep}
            onClick={() => add(newGroup(group.match === 'all' ? 'any' : 'all'))}
            aria-label={`Add a group to ${name}`}
          >
            Group
          </ActionButton>
        </div>
      )}
    </fieldset>
  );
}
