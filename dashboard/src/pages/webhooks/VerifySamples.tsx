import { Tabs } from '@mantine/core';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { SAMPLES } from './verify-samples.ts';
import classes from './webhooks.module.css';

/** The code of a receiver in a few languages. */
export function VerifySamples() {
  return (
    <div className={classes['samples']}>
      <p className={classes['samplesText']}>
        Verify the bytes of the body as they arrive: a parser that writes them again changes them. Answer 2xx within ten
        seconds and do the work afterwards. A delivery may arrive twice; the <code>id</code> of its event stays the
        same.
      </p>
      <Tabs defaultValue={SAMPLES[0].id} keepMounted={false}>
        <Tabs.List aria-label="Languages">
          {SAMPLES.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SAMPLES.map(({ id, label, code }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <CodeBlock code={code} label={`the code for ${label}`} maxHeight={520} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}
