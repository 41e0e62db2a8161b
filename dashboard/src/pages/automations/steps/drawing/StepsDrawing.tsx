import '@xyflow/react/dist/style.css';
import { Background, Controls, type Edge, Handle, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react';
import type { AutomationStep, AutomationTrigger } from '../../../../api/generated/types.gen.ts';
import { triggerWords } from '../../triggers.ts';
import { END, TRIGGER, waysOf } from './drawing.ts';
import type { DraftStep } from '../step-list.ts';
import { kindOf } from '../step-kinds.ts';
import classes from './drawing.module.css';

interface Props {
  trigger: AutomationTrigger;
  steps: readonly DraftStep[];
  nameOf: (id: string) => string | undefined;
  /** Opens the card of a step in the list. */
  onOpen: (key: string) => void;
}

type Box = Node<{ title: string; words: string }, 'box'>;

const APART = 100;
const HEIGHT_MAX = 760;
/** Leaps run beside the boxes, each in a lane of its own. */
const LANE = 26;
const LANES = 5;
const branchesOf = ({ type, config }: AutomationStep) => kindOf(type).branches?.(config);

/** The steps as boxes and arrows, to look at: they are changed in the list, which says the same. */
export function StepsDrawing({ trigger, steps, nameOf, onOpen }: Props) {
  const boxes = [
    { id: TRIGGER, title: 'Trigger', words: triggerWords(trigger, nameOf) },
    ...steps.map(({ step: { key, type, config } }, at) => {
      const { label, summary } = kindOf(type);
      return { id: key, title: `${at + 1}. ${label}`, words: summary(config, nameOf) };
    }),
    { id: END, title: 'End', words: 'The run is completed' },
  ];
  const nodes = boxes.map(({ id, ...data }, at): Box => ({ id, type: 'box', position: { x: 0, y: at * APART }, data }));
  const edges = waysOf(steps, branchesOf).map(
    ({ from, to, when, leaps }, at): Edge => ({
      id: `${from} ${to} ${when}`,
      source: from,
      target: to,
      ...(when === '' ? {} : { label: when }),
      ...(leaps
        ? {
            type: 'smoothstep',
            sourceHandle: 'side',
            targetHandle: 'side',
            pathOptions: { offset: LANE * (1 + (at % LANES)) },
          }
        : {}),
    }),
  );
  return (
    <figure
      className={classes['drawing']}
      style={{ height: Math.min(HEIGHT_MAX, boxes.length * APART) }}
      aria-label="Drawing of the steps. The list below says the same."
    >
      <ReactFlow
        // A change of the steps is seen as a whole.
        key={boxes.length}
        nodes={nodes}
        edges={edges}
        nodeTypes={KINDS}
        onNodeClick={(_, { id }) => onOpen(id)}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        preventScrolling={false}
        zoomOnScroll={false}
        minZoom={0.2}
        maxZoom={1.2}
        fitView
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </figure>
  );
}

function BoxOfStep({ data: { title, words } }: NodeProps<Box>) {
  return (
    <div className={classes['box']}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <Handle id="side" type="target" position={Position.Right} isConnectable={false} />
      <span className={classes['title']}>{title}</span>
      <span className={classes['words']}>{words}</span>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
      <Handle id="side" type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

const KINDS = { box: BoxOfStep };
