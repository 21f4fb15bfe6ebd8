import assert from 'node:assert/strict';
import test from 'node:test';
import {all, load, textOf} from './page.mjs';

const bb = load('frame.js', {
  window: {matchMedia: () => ({addEventListener() {}})}, ResizeObserver: class {},
});
const {markdown} = bb;

/** The drawn nodes as a short line: names, attributes that matter, text. */
function show(source) {
  const one = (node) => {
    if (node.nodeName === '#text') return node.nodeValue;
    if (node.nodeName === 'bdi') return node.childNodes.map(one).join('');
    if (node.nodeName === 'svg') return `<${node.getAttribute('aria-label')}>`;
    const url = node.getAttribute('data-url');
    const start = node.getAttribute('start');
    return `<${node.nodeName}${url ? ` ${url}` : ''}${start ? ` ${start}` : ''}>${node.childNodes.map(one).join('')}</${node.nodeName}>`;
  };
  return markdown.draw(source).map(one).join('');
}

for (const [name, source, want] of [
  ['a paragraph keeps its lines', 'one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
  ['headings follow the section\'s own, one step at a time', '### a\n# b\n###### c', '<h3>a</h3><h3>b</h3><h4>c</h4>'],
  ['a heading may be underlined', 'a\n===\nb\n---', '<h3>a</h3><h4>b</h4>'],
  ['# without a space is text', '#1 is merged', '<p>#1 is merged</p>'],
  ['closing marks of a heading go', '# C# ##', '<h3>C#</h3>'],
  ['emphasis', '*a* **b** ***c*** _d_ __e__ ~~f~~ snake_case_name 2*3*4', '<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em> <em>d</em> <strong>e</strong> <del>f</del> snake_case_name 2<em>3</em>4</p>'],
  ['emphasis without a partner is text', '**a *b', '<p>**a *b</p>'],
  ['escapes and entities', '\\*a\\* &lt;b&gt; &amp; &#65;&#x42; &nope;', '<p>*a* <b> & AB &nope;</p>'],
  ['inline code keeps what is in it', '`a *b* <c>` `` ` `` `x', '<p><code>a *b* <c></code> <code>`</code> `x</p>'],
  ['fenced code', '```go\nfunc f() {}\n\n  x\n```\nend', '<pre><code>func f() {}\n\n  x</code></pre><p>end</p>'],
  ['a fence that is never closed', '~~~\na', '<pre><code>a</code></pre>'],
  ['indented code', '    a\n\n    b\n\nc', '<pre><code>a\n\nb</code></pre><p>c</p>'],
  ['nested lists', '- a\n  - b\n    1. c\n- d', '<ul><li><p>a</p><ul><li><p>b</p><ol><li><p>c</p></li></ol></li></ul></li><li><p>d</p></li></ul>'],
  ['an ordered list starts where it says', '3. a\n4. b', '<ol 3><li><p>a</p></li><li><p>b</p></li></ol>'],
  ['task boxes', '- [x] a\n- [ ] b', '<ul><li><done><div><p>a</p></div></li><li><not done><div><p>b</p></div></li></ul>'],
  ['a list item goes on after a blank line', '- a\n\n  b\n- c', '<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>'],
  ['a list ends', '- a\n\nb', '<ul><li><p>a</p></li></ul><p>b</p>'],
  ['a number in a sentence starts no list', 'grown in\n2021. Then', '<p>grown in\n2021. Then</p>'],
  ['quotes, nested and lazy', '> a\nb\n>> c', '<blockquote><p>a\nb</p><blockquote><p>c</p></blockquote></blockquote>'],
  ['rules', 'a\n\n***\n- - -', '<p>a</p><hr></hr><hr></hr>'],
  ['tables', '| a | b |\n|---|--:|\n| 1 | 2 \\| 3 |\n| 4', '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2 | 3</td></tr><tr><td>4</td><td></td></tr></tbody></table>'],
  ['a line with a bar is no table', 'a | b\nc', '<p>a | b\nc</p>'],
  ['links open through the host', '[a *b*](https://example.com/x "t") <https://example.com/y>', '<p><a https://example.com/x>a <em>b</em></a> <a https://example.com/y>https://example.com/y</a></p>'],
  ['addresses in the text', 'see https://example.com/a_b_(c). (https://example.com/d)', '<p>see <a https://example.com/a_b_(c)>https://example.com/a_b_(c)</a>. (<a https://example.com/d>https://example.com/d</a>)</p>'],
  ['other addresses are shown, not opened', '[a](javascript:alert(1)) [b](mailto:x@example.com) [c](/rel) [d](https://u:p@example.com)', '<p>a (javascript:alert(1)) b (mailto:x@example.com) c (/rel) d (https://u:p@example.com)</p>'],
  ['pictures are links', '![frost](https://example.com/f.png) [![b](https://example.com/b.png)](https://example.com/c) ![att](attachment:1/2)', '<p><a https://example.com/f.png>Image: frost</a> <a https://example.com/c>Image: b</a> Image: att (attachment:1/2)</p>'],
  ['a link holds no link', '[a https://example.com/b](https://example.com/c)', '<p><a https://example.com/c>a https://example.com/b</a></p>'],
  ['brackets that are no link', '[a] [b][c] (d) ](x)', '<p>[a] [b][c] (d) ](x)</p>'],
  ['hard breaks', 'a  \nb\\\nc', '<p>a  <br></br>b<br></br>c</p>'],
  ['HTML is text', 'Use <T extends Foo> <!-- x -->\n<details>\n<script>alert(1)</script>', '<p>Use <T extends Foo> <!-- x -->\n<details>\n<script>alert(1)</script></p>'],
  ['mentions and issue keys are text', '@bo see ORCH-283', '<p>@bo see ORCH-283</p>'],
  ['line ends of Windows', 'a\r\n\r\n* b\r\n* c', '<p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul>'],
  ['hidden characters are marked in code too', '`a\u202Eb`', '<p><code>a<span>U+202E</span>b</code></p>'],
]) test(name, () => assert.equal(show(source), want)); // V11

/** The depth of drawn nodes. */
const depth = (node) => 1 + Math.max(0, ...node.childNodes.map(depth));

// V11: a stranger's text can neither stop the page nor nest without end.
for (const [name, unit, times] of [
  ['[', '[', 100_000], ['*', '*', 100_000], ['> ', '> ', 10_000], ['`', '`', 100_000], ['- ', '- ', 30_000],
  ['[a](', '[a](', 25_000], ['![', '![', 50_000], ['*a ', '*a ', 30_000], ['a*', 'a*', 50_000], ['_a*', '_a*', 30_000], ['<', '<', 100_000],
  ['<https://', '<https://', 12_000], ['https://', 'https://', 12_000], ['backticks of growing length', null, 0], ['&', '&', 100_000], ['|', '|\n', 30_000],
  ['| - ', '| - ', 25_000], ['1. ', '1. ', 30_000], ['# ', '# ', 50_000], ['# #', '#', 100_000], ['\\', '\\', 100_000], ['~~', '~~a', 30_000],
  ['](', '](', 50_000], ['item and blank', '- a\n\n', 20_000], ['quotes in lists', '> - ', 20_000], ['open emphasis', '**a __b ', 12_000], ['closers of another kind', '*a '.repeat(60_000) + 'b_ '.repeat(60_000), 1], ['combining', '\u0301', 60_000], ['invisible', '\u200B\u200C', 30_000],
]) {
  test(`linear: ${name}`, () => {
    const source = unit ? unit.repeat(times) : Array.from({length: 400}, (_, i) => '`'.repeat(i + 1)).join(' ');
    const began = process.hrtime.bigint();
    const drawn = markdown.draw(source);
    markdown.inline(source);
    const ms = Number(process.hrtime.bigint() - began) / 1e6;
    // Quadratic work on these takes minutes; a busy machine does not.
    assert.ok(ms < 8000, `${ms} ms`);
    assert.ok(Math.max(...drawn.map(depth)) < 60);
  });
}

test('both sides of deep emphasis stay drawable', () => {
  const drawn = markdown.draw('*'.repeat(20_000) + 'a' + '*'.repeat(20_000));
  assert.ok(depth(drawn[0]) < 30);
  assert.match(textOf(drawn[0]), /a/);
});

test('what is longer than is read says so', () => {
  const drawn = markdown.draw('a '.repeat(60_000));
  assert.match(textOf(drawn[drawn.length - 1]), /in Bitbucket/);
  assert.equal(all(drawn[0], 'p').length, 1);
});
