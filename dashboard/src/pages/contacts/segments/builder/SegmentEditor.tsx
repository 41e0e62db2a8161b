import { SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SegmentFilter } from '../../../../api/generated/types.gen.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { UnsavedGuard } from '../../../../lib/unsaved-guard.tsx';
import { ActionButton } from '../../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../../ui/code/CurlButton.tsx';
import type { ApiCall } from '../../../../lib/curl.ts';
import { FormProblem } from '../../../../ui/form/FormProblem.tsx';
import classes from './builder.module.css';
import { faultOf, kindOf } from './filter-fields.ts';
import { FilterBuilder, type NodeFault } from './FilterBuilder.tsx';
import { type FilterNode, type GroupNode, newGroup, nodeAt, readTree, writeTree } from './filter-tree.ts';
import { isSameFilter } from './same-filter.ts';
import { JsonFilter } from './JsonFilter.tsx';
import { LiveCount } from './LiveCount.tsx';
import type { AllNames } from './use-names.ts';

export interface SegmentText {
  name: string;
  filter: SegmentFilter;
}

interface Props {
  /** Undefined for a new segment. */
  saved: (SegmentText & { id: string }) | undefined;
  names: AllNames;
  call: Pick<ApiCall, 'method' | 'path'>;
  onSave: (text: SegmentText) => void;
  saveLabel: string;
  isSaving: boolean;
  /** The answer of the server to the last attempt, when it failed. */
  error: unknown;
  whyNot: string | undefined;
  /** A notice above the form. */
  children?: ReactNode;
}

/** The name and the conditions of a segment, with the number of contacts who meet them now. */
export function SegmentEditor(props: Props) {
  const { saved, names, whyNot, error } = props;
  const [name, setName] = useState(saved?.name ?? '');
  const [tree, setTree] = useState<GroupNode>(() => readTree(saved?.filter) ?? newGroup());
  const [view, setView] = useState<'form' | 'json'>('form');
  const [wasTried, setWasTried] = useState(false);
  const isNumeric = (field: string) => kindOf(field, names.properties) === 'number';
  const filter = writeTree(tree, isNumeric);
  const open = unfinished(tree, names);
  const isWhole = open === undefined;
  const isDirty =
    saved === undefined
      ? name !== '' || isWhole
      : name.trim() !== saved.name || !isSameFilter(filter, saved.filter, names.properties);
  const refused = refusedNode(tree, error);
  const save = () => {
    setWasTried(true);
    if (name.trim() !== '' && isWhole) props.onSave({ name: name.trim(), filter });
  };
  return (
    <form
      className={classes['editor']}
      aria-label={saved === undefined ? 'New segment' : 'Edit the segment'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot === undefined && !props.isSaving) save();
      }}
    >
      <div className={classes['main']}>
        {props.children}
        {refused === undefined && <FormProblem error={error ?? undefined} />}
        <TextInput
          label="Name"
          placeholder="Pros who read us"
          maxLength={200}
          readOnly={whyNot !== undefined}
          error={wasTried && name.trim() === '' ? 'Enter a name.' : undefined}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={classes['head']}>
          <h2 className={classes['heading']}>Conditions</h2>
          <SegmentedControl
            size="xs"
            aria-label="How the conditions are shown"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            value={view}
            onChange={(next) => setView(next === 'json' ? 'json' : 'form')}
          />
        </div>
        {view === 'json' ? (
          <JsonFilter filter={filter} onChange={setTree} readOnly={whyNot !== undefined} />
        ) : (
          <FilterBuilder
            tree={tree}
            onChange={(next) => setTree(next.parts.length === 0 ? newGroup(next.match) : next)}
            names={names}
            segmentId={saved?.id}
            fault={refused ?? (wasTried ? open : undefined)}
            readOnly={whyNot}
          />
        )}
        <div className={classes['match']}>
          <ActionButton
            type="submit"
            loading={props.isSaving}
            disabledReason={whyNot ?? (isDirty ? undefined : 'Nothing is changed.')}
          >
            {props.saveLabel}
          </ActionButton>
          <CurlButton call={{ ...props.call, body: { name, filter } }} />
        </div>
      </div>
      <LiveCount filter={isWhole ? filter : undefined} />
      <UnsavedGuard when={isDirty && whyNot === undefined && !props.isSaving} />
    </form>
  );
}

/** The first condition that lacks something. */
function unfinished(node: FilterNode, names: AllNames): NodeFault | undefined {
  if (node.kind === 'condition') {
    const sentence = faultOf(node, names.properties);
    return sentence === undefined ? undefined : { id: node.id, sentence };
  }
  for (const part of node.parts) {
    const fault = unfinished(part, names);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The condition that the server refused, when it is one. */
function refusedNode(tree: GroupNode, error: unknown): NodeFault | undefined {
  if (!(error instanceof ApiError) || error.param?.startsWith('filter.conditions') !== true) return undefined;
  const node = nodeAt(tree, error.param);
  return node.kind === 'condition' ? { id: node.id, sentence: error.message } : undefined;
}
