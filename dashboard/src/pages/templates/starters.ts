import type { CreateTemplateRequest } from '../../api/generated/types.gen.ts';

interface Starter {
  id: string;
  label: string;
  description: string;
  content: Omit<CreateTemplateRequest, 'name' | 'alias'>;
}

const PAGE = (inner: string): string => `<!doctype html>
<html>
  <body style="margin: 0; padding: 24px; font-family: system-ui, sans-serif; line-height: 1.5">
${inner}
  </body>
</html>
`;

/** Templates to begin with; each renders with its own samples. */
export const STARTERS: readonly [Starter, ...Starter[]] = [
  {
    id: 'welcome',
    label: 'A welcome',
    description: 'A greeting with a name and a link.',
    content: {
      subject: 'Welcome {{ name | default: "and hello" }}',
      preheader: 'Good to have you here',
      html: PAGE(`    <h1 style="font-size: 24px">Welcome {{ name | default: "and hello" }}</h1>
    <p>Your account is ready.</p>
    <p><a href="{{ url }}">Open your account</a></p>`),
      samples: [
        { name: 'Ada', variables: { name: 'Ada', url: 'https://example.com/account' } },
        { name: 'no name', variables: { url: 'https://example.com/account' } },
      ],
    },
  },
  {
    id: 'receipt',
    label: 'A receipt',
    description: 'Lines of an order in a loop, and a total.',
    content: {
      subject: 'Your receipt {{ order.number }}',
      html: PAGE(`    <h1 style="font-size: 24px">Thank you, {{ name | default: "friend" }}</h1>
    <ul>
      {%- for item in order.items %}
      <li>{{ item.name }}: {{ item.price }}</li>
      {%- endfor %}
    </ul>
    <p><strong>Total: {{ order.total }}</strong></p>`),
      samples: [
        {
          name: 'two items',
          variables: {
            name: 'Ada',
            order: {
              number: '1042',
              total: '24.00 €',
              items: [
                { name: 'Tea', price: '9.00 €' },
                { name: 'Cup', price: '15.00 €' },
              ],
            },
          },
        },
      ],
    },
  },
  {
    id: 'layout',
    label: 'A layout',
    description: 'The frame around other templates: logo, width, foot.',
    content: {
      html: PAGE(`    <div style="max-width: 600px; margin: 0 auto">
      {{ content }}
      <hr />
      <p style="font-size: 12px">Acme, 1 Example Street</p>
    </div>`),
    },
  },
  {
    id: 'empty',
    label: 'Nearly nothing',
    description: 'One paragraph.',
    content: { html: '<p>Hi {{ name | default: "there" }}</p>\n' },
  },
];
