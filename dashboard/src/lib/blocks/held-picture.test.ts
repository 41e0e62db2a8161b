import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { shownAddress } from '../mail/own-picture.ts';
import { fileOfData, isHeld, newHeldAddress, withoutHeld } from './held-picture.ts';
import { importHtml } from './import-html.ts';
import { renderDocument } from './render.ts';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

suite('pictures of other programs', () => {
  test('hold their place until they are uploaded, and are in no document before', () => {
    const given: string[] = [];
    const hold = (src: string) => (given.push(src), newHeldAddress());
    const { document, lostPictures } = importHtml(
      `<p>a</p><img src="${PIXEL}" alt="A" width="20" height="10"><img src="file:///C:/x.png"><p>b</p>`,
      { hold },
    );
    assert.deepEqual(given, [PIXEL, 'file:///C:/x.png']);
    assert.equal(lostPictures, 0);
    const pictures = document.content.flatMap((block) => (block.type === 'picture' ? [block.attrs] : []));
    assert.deepEqual(
      pictures.map(({ src, ratio }) => [isHeld(src), ratio]),
      [
        [true, 0.5],
        [true, null],
      ],
    );
    const columns = {
      type: 'doc',
      content: [{ type: 'columns', content: [{ type: 'column', content: document.content }] }],
    };
    assert.doesNotMatch(JSON.stringify(withoutHeld(columns)), /held|picture/);
    assert.match(JSON.stringify(withoutHeld(columns)), /"a"[^]*"b"/);
  });

  test('are lost when nobody can hold them', () => {
    const { document, lostPictures } = importHtml(`<p>a</p><img src="${PIXEL}"><img src="blob:https://x.test/1">`);
    assert.deepEqual([document.content.length, lostPictures], [1, 2]);
  });

  test('are files where the address holds one, and nothing where it is broken', async () => {
    const file = fileOfData(PIXEL);
    assert.deepEqual([file?.name, file?.type, file?.size], ['pasted.png', 'image/png', 8]);
    for (const bad of ['data:image/png;base64,%%%', 'data:text/html;base64,AAAA', 'data:image/png,x', 'file:///a.png'])
      assert.equal(fileOfData(bad), undefined, bad);
  });
});

suite('a picture in mail', () => {
  const html = (attrs: object) =>
    renderDocument({
      type: 'doc',
      content: [
        {
          type: 'picture',
          attrs: {
            src: 'https://a.test/a.png',
            alt: 'A',
            width: 200,
            ratio: null,
            decorative: false,
            href: '',
            align: 'left',
            ...attrs,
          },
        },
      ],
    });

  test('keeps its place by width and height', () => {
    assert.match(html({ ratio: 0.5 }), /width="200" height="100"/);
    assert.match(html({ ratio: 0.5, width: null }), /width="552" height="276"/);
    assert.match(html({ ratio: 0.0001 }), /height="1"/);
    assert.doesNotMatch(html({}), / height="/);
  });

  test('says that it is decoration, and comes back as one', () => {
    const made = html({ decorative: true });
    assert.match(made, /alt="" role="presentation"/);
    const [picture] = importHtml(made).document.content;
    assert.equal(picture?.type === 'picture' && picture.attrs.decorative, true);
  });
});

test('a picture of this server is shown from the origin of the page, and no other', () => {
  const name = 'AAAAAAAAAAAAAAAAAAAAAA';
  assert.equal(shownAddress(`https://mail.example.com/images/${name}`), `/images/${name}`);
  assert.equal(shownAddress(`https://mail.example.com/images/${name}/large`), `/images/${name}/large`);
  for (const other of [`https://x.test/a/images/${name}`, `https://x.test/images/short`, `//x.test/images/${name}`, ''])
    assert.equal(shownAddress(other), other);
});
