import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { SegmentFilter } from '../../../../api/generated/types.gen.ts';
import classes from './builder.module.css';
import { type GroupNode, readTree } from './filter-tree.ts';

interface Props {
  filter: SegmentFilter;
  onChange: (tree: GroupNode) => void;
  readOnly: boolean;
}

const write = (filter: SegmentFilter): string => JSON.stringify(filter, null, 2);

function read(text: string): GroupNode | undefined {
  try {
    return readTree(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The filter as the API has it. A text that is no filter changes nothing. */
export function JsonFilter({ filter, onChange, readOnly }: Props) {
  const [text, setText] = useState(() => write(filter));
  const isWrong = read(text) === undefined;
  return (
    <Textarea
      label="Filter as JSON"
      description="As POST /v1/segments takes it."
      error={isWrong ? 'This is not a filter: it needs match and conditions.' : undefined}
      autosize
      minRows={8}
      maxRows={28}
      spellCheck={false}
      readOnly={readOnly}
      className={classes['json']}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        const tree = read(next);
        if (tree !== undefined) onChange(tree);
      }}
    />
  );
}
