import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getTemplateOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Template } from '../../api/generated/types.gen.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { asNode, sendOf } from './use-it.ts';
import classes from './templates.module.css';
import { asCurl } from '../../lib/curl.ts';

/** The code that sends the template, with the variables of the version that sends. */
export function UseItTab({ template }: { template: Template }) {
  const { id, version, published_version: published } = template;
  const sends = useQuery({
    ...getTemplateOptions({ path: { id }, query: { version: String(published ?? version) } }),
    enabled: published !== null && published !== version,
  });
  const shown = sends.data ?? template;
  const { origin } = window.location;
  const body = sendOf(shown);
  const codes = [
    { id: 'curl', label: 'curl', code: asCurl({ method: 'POST', path: '/v1/send', body }, origin) },
    { id: 'node', label: 'Node', code: asNode(body, origin) },
  ];
  return (
    <>
      {published === null && (
        <Notice tone="warn">No version is published yet. Only keys of the test mode can send a draft.</Notice>
      )}
      <Section title="Send it" description="The data comes from the first sample, or stands for each variable." plain>
        <Tabs defaultValue="curl" keepMounted={false}>
          <Tabs.List aria-label="Languages">
            {codes.map(({ id: name, label }) => (
              <Tabs.Tab key={name} value={name}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {codes.map(({ id: name, label, code }) => (
            <Tabs.Panel key={name} value={name} pt="sm">
              <CodeBlock code={code} label={`the code for ${label}`} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Section>
      <Section title="Variables" plain>
        {shown.variables.length === 0 ? (
          <p className={classes['note']}>It needs no data.</p>
        ) : (
          <table className={classes['table']}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Type</th>
                <th scope="col">When it is missing</th>
              </tr>
            </thead>
            <tbody>
              {shown.variables.map(({ key, type, required, fallback }) => (
                <tr key={key}>
                  <th scope="row">
                    <code>{key}</code>
                  </th>
                  <td>{type}</td>
                  <td>{whenMissing(required, fallback)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
    </>
  );
}

function whenMissing(required: boolean, fallback: unknown): string {
  if (fallback !== null) return `${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)} stands in`;
  return required ? 'The send is refused' : 'It is empty';
}
