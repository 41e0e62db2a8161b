import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitWidth } from './fit-width.ts';

const FIT = 'max-width:100%;';
const rows: [why: string, html: string, fitted: string][] = [
  ['a picture without a width shrinks', '<img src=a>', `<img style="${FIT}" src=a>`],
  [
    'a wide picture keeps its shape',
    '<IMG width="1200" height="400"/>',
    `<IMG style="${FIT}height:auto;" width="1200" height="400"/>`,
  ],
  ['a height alone is the author’s', '<img height=40>', `<img style="${FIT}" height=40>`],
  ['a small picture stays', '<img width=120 height=1>', '<img width=120 height=1>'],
  [
    'the author’s own declarations come last',
    `<p><img src=a style='max-width:50%;font-family:"A&amp;B"' alt=b>`,
    `<p><img src=a style="${FIT}max-width:50%;font-family:&quot;A&amp;B&quot;" alt=b>`,
  ],
  ['a style without a value', '<img style src=a>', `<img style="${FIT}" src=a>`],
  ['a table with a width shrinks', '<table width="800">', `<table style="${FIT}" width="800">`],
  ['a table with a styled width shrinks', '<table style="width:700px">', `<table style="${FIT}width:700px">`],
  ['a table without a width stays', '<table><tr><td>', '<table><tr><td>'],
  [
    'a table with headings scrolls, and its words stay whole; one around it that places it does not',
    '<table><tr><td><table border=1><thead><tr><th>Hours',
    '<table><tr><td><table style="display:block;overflow:auto;max-width:100%;word-break:normal;" border=1><thead><tr><th>Hours',
  ],
  ['lines of pre wrap', '<pre class=x>a</pre>', '<pre style="white-space:pre-wrap;" class=x>a</pre>'],
  ['long words of a document break', '<html><body>a', '<html><body style="word-break:break-word;">a'],
  [
    'things that a browser moves out of a table stay in order',
    '<table width=700><img id=1><tr><td><img id=2></table><img id=3>',
    `<table style="${FIT}" width=700><img style="${FIT}" id=1><tr><td><img style="${FIT}" id=2></table><img style="${FIT}" id=3>`,
  ],
  ['Outlook’s comments stay', '<!--[if mso]><img src=a><![endif]-->', '<!--[if mso]><img src=a><![endif]-->'],
  ['what is no element stays', 'if a <img', 'if a <img'],
  ['what looks like one in a style sheet stays', '<style>/*<img >*/</style>', '<style>/*<img >*/</style>'],
];

for (const [why, html, fitted] of rows) {
  test(why, () => {
    assert.equal(fitWidth(html), fitted);
  });
}

test('20,000 pictures are fitted in a time that grows with their number', () => {
  const one = '<img src="https://cdn.example.com/a.png">';
  assert.equal(fitWidth(one.repeat(19_990)).length, (one.length + 24) * 19_990);
});
