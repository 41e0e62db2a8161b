import { Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { allLists, allProperties } from '../../../api/audience.ts';
import { createBulkContactJob, previewSegment } from '../../../api/generated/sdk.gen.ts';
import type { BulkAction, SegmentFilter, SegmentPreview } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { FormProblem } from '../../../ui/form/FormProblem.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import type { TypedProperty } from '../contact-form.ts';
import { faultOfProperties, readProperty } from '../contact-form.ts';
import { PropertyFields } from '../PropertyFields.tsx';
import { ACTION_OPTIONS, type ActionType, CONSEQUENCES } from './bulk-words.ts';

interface Props {
  filter: SegmentFilter;
  of: string;
  opened: boolean;
  onClose: () => void;
}

/** One change for everybody who meets a filter, with their number. It runs in the background. */
export function ChangeAll({ opened, onClose, of, ...rest }: Props) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title={`Change ${of}`} size="lg">
      <ChangeForm {...rest} onClose={onClose} />
    </LoadedDialog>
  );
}

function ChangeForm({ filter, onClose }: Omit<Props, 'opened' | 'of'>) {
  const router = useRouter();
  const [type, setType] = useState<ActionType>('add_to_list');
  const [listId, setListId] = useState<string | null>(null);
  const [properties, setProperties] = useState<readonly TypedProperty[]>([]);
  const [typed, setTyped] = useState('');
  const preview = useQuery({
    queryKey: [{ _id: 'previewSegment' }, filter],
    queryFn: async ({ signal }) => (await previewSegment({ body: { filter }, signal, throwOnError: true })).data,
    staleTime: 0,
  });
  const lists = useQuery(allLists);
  const known = useQuery(allProperties);
  const write = useWrite({
    call: (action: BulkAction) => createBulkContactJob({ body: { filter, action }, throwOnError: true }),
    changes: [],
    onDone: ({ id }) => router.history.push(pb.bulkJob(id)),
  });
  const action = actionOf({ type, listId, properties });
  const isGrave = type === 'unsubscribe' || type === 'delete';
  const expected = preview.data === undefined ? undefined : countOf(preview.data);
  const whyNot = whyNotStart({ preview: preview.data, isReady: action !== undefined, isGrave, typed, expected });
  return (
    <Form
      label="Change all"
      problem={write.error ?? undefined}
      onSubmit={(event) => {
        event?.preventDefault();
        if (action !== undefined && whyNot === undefined) write.mutate(action);
      }}
      actions={
        <>
          <ActionButton
            type="submit"
            variant={isGrave ? 'danger' : 'filled'}
            loading={write.isPending}
            disabledReason={whyNot}
          >
            {preview.data?.complete === true ? `Change ${counted(preview.data.count, 'contact')}` : 'Start'}
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <Counted preview={preview.data} error={preview.error} />
      <Select
        label="Change"
        data={[...ACTION_OPTIONS]}
        value={type}
        // `data` has only types.
        onChange={(next) => setType((next ?? 'add_to_list') as ActionType)}
        allowDeselect={false}
        data-autofocus
      />
      {(type === 'add_to_list' || type === 'remove_from_list') && (
        <Select
          label="List"
          placeholder={lists.data?.length === 0 ? 'There is no list yet' : 'Choose a list'}
          data={(lists.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={listId}
          onChange={setListId}
          searchable
        />
      )}
      {type === 'update' && (
        <PropertyFields
          known={known.data ?? []}
          value={properties}
          onChange={setProperties}
          error={properties.length === 0 ? undefined : faultOfProperties(properties)}
        />
      )}
      <Text size="sm" c="dimmed">
        {CONSEQUENCES[type]} You can undo it for 24 hours.
      </Text>
      {isGrave && expected !== undefined && (
        <TextInput
          label={
            <>
              Type <b>{expected}</b>, the number of contacts, to confirm
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Form>
  );
}

const countOf = ({ count }: SegmentPreview): string => formatCount(count);

function Counted({ preview, error }: { preview: SegmentPreview | undefined; error: unknown }) {
  if (error !== null) return <FormProblem error={error} />;
  if (preview === undefined) return <Notice tone="quiet">Counting …</Notice>;
  if (!preview.complete) {
    return (
      <Notice tone="warn">
        At least {counted(preview.count, 'contact')}: those among the newest {formatCount(preview.looked_at)}. The
        change looks at all of them.
      </Notice>
    );
  }
  return (
    <Notice tone="info">
      {counted(preview.count, 'contact')} now. Each is looked at again when its turn comes; contacts that are added
      later are left alone.
    </Notice>
  );
}

interface Chosen {
  type: ActionType;
  listId: string | null;
  properties: readonly TypedProperty[];
}

/** Undefined until everything is chosen. */
function actionOf({ type, listId, properties }: Chosen): BulkAction | undefined {
  if (type === 'add_to_list' || type === 'remove_from_list') {
    return listId === null ? undefined : { type, list_id: listId };
  }
  if (type !== 'update') return { type };
  if (properties.length === 0 || faultOfProperties(properties) !== null) return undefined;
  const set = Object.fromEntries(properties.map((property) => [property.key.trim(), readProperty(property)]));
  return { type, set: { properties: set } };
}

interface Given {
  preview: SegmentPreview | undefined;
  isReady: boolean;
  isGrave: boolean;
  typed: string;
  expected: string | undefined;
}

function whyNotStart({ preview, isReady, isGrave, typed, expected }: Given): string | undefined {
  if (preview === undefined) return 'The contacts are counted first.';
  if (preview.complete && preview.count === 0) return 'Nobody meets the filter.';
  if (!isReady) return 'Say first what changes.';
  const plain = (text: string) => text.replaceAll(/[\s,.]/g, '');
  if (isGrave && plain(typed) !== plain(expected ?? '')) return 'Type the number of contacts first.';
  return undefined;
}
