import assert from 'node:assert/strict';
import test from 'node:test';
import {all, load, plain, textOf} from './page.mjs';

const bb = load('text.js');
const {text, el, webAddress} = bb;

// V47
test('what cannot be seen is drawn as its code point', () => {
  assert.deepEqual(plain(text.pieces('invoice\u202Egnp.exe')), ['invoice', {code: 'U+202E', times: 1}, 'gnp.exe']);
  assert.equal(text.plain('a\u200B\u200B\u200Bb\u2066c\uFEFF'), 'a[U+200B × 3]b[U+2066]c[U+FEFF]');
  assert.equal(text.plain('\u{E0041}\u{E0042}'), '[U+E0041… × 2]');
  assert.equal(text.plain('\uD800x'), '[U+D800]x');
  assert.equal(text.plain('a' + '\u0301'.repeat(40)), 'a' + '\u0301'.repeat(6) + '[U+0301 × 34]');
});

// V47
test('what does its work unseen stays', () => {
  for (const s of ['👩‍💻 ❤️ 1️⃣ 👍🏽', 'نمی‌خواهم', 'क्‍ष', '葛\u{E0100}城', 'tab\tline\nend', 'e\u0301', 'Zoë', 'שלום']) {
    assert.deepEqual(plain(text.pieces(s)), [s]);
  }
});

test('text is isolated and stays text', () => {
  const drawn = text.draw('<img src=x onerror=alert(1)>');
  assert.equal(drawn.nodeName, 'bdi');
  assert.equal(textOf(drawn), '<img src=x onerror=alert(1)>');
  assert.equal(all(drawn, 'img').length, 0);
});

// V11
test('only web addresses are opened', () => {
  for (const url of ['javascript:alert(1)', ' https://example.com', 'data:text/html,x', 'file:///etc/passwd', 'https://', 'https://user:pw@example.com/', 'https://bitbucket.example.com@evil.example.com', '//example.com', 'mailto:a@b', null, {}, 7]) {
    assert.equal(webAddress(url), '', String(url));
  }
  assert.equal(webAddress('HTTPS://Example.com/a b'), 'https://example.com/a%20b');
  assert.equal(webAddress('http://localhost:7990/x'), 'http://localhost:7990/x');
});

// V11
test('el() builds from names it knows and refuses the rest', () => {
  for (const tag of ['script', 'iframe', 'form', 'input', 'img', 'style', 'link', 'base', 'object', 'embed', 'template', 'use', 'foreignObject']) {
    assert.throws(() => el(tag), /no element/, tag);
  }
  for (const name of ['style', 'href', 'src', 'srcdoc', 'action', 'formaction', 'onclick', 'ONCLICK', 'innerHTML', 'outerHTML', 'textContent', 'xlink:href', 'id', 'data-X']) {
    assert.throws(() => el('p', {[name]: 'x'}), /no property/, name);
  }
  assert.throws(() => el('p', {title: () => {}}), /no text/);
  const drawn = el('p', {class: 'a', hidden: true, title: null, lang: false}, 'x', [1, [null, false, undefined, el('b', null, 'y')]]);
  assert.equal(textOf(drawn), 'x1y');
  assert.deepEqual([...drawn.attributes], [['class', 'a'], ['hidden', '']]);
});
