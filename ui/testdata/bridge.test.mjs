import assert from 'node:assert/strict';
import test from 'node:test';
import {load, plain} from './page.mjs';

/** A bridge between a page and a host that a test plays. */
function world({answer = true, caps = {openLinks: {}}, context = {}} = {}) {
  const parent = {postMessage: (m) => w.sent.push(plain(m))};
  const listeners = new Map();
  const timers = new Map();
  let frames = [];
  const w = {sent: [], seen: [], height: 400};
  const window = {
    parent, matchMedia: () => ({addEventListener() {}}), getComputedStyle: () => ({}),
    addEventListener: (name, f) => listeners.set(name, f),
    removeEventListener: (name) => listeners.delete(name),
    setTimeout: (f, ms) => { const id = timers.size + 1; timers.set(id, {f, ms}); return id; },
    clearTimeout: (id) => timers.delete(id),
    requestAnimationFrame: (f) => frames.push(f),
    cancelAnimationFrame: () => { frames = []; },
  };
  const body = {getBoundingClientRect: () => ({height: w.height})};
  const bb = load('bridge.js', {window, document: {body}, ResizeObserver: class { constructor(f) { w.resized = f; } observe() { w.resized(); } disconnect() { w.resized = () => {}; } }});
  w.bridge = new bb.Bridge({
    context: () => w.seen.push('context'), input: (args, partial) => w.seen.push(['input', plain(args), partial]),
    result: (r) => w.seen.push(['result', plain(r)]), cancelled: (r) => w.seen.push(['cancelled', r]),
    refused: (why) => w.seen.push(['refused', why]), closed: () => w.seen.push('closed'),
  });
  w.hears = (data, source = parent) => listeners.get('message')?.({data, source});
  w.says = (m, source) => w.hears({jsonrpc: '2.0', ...m}, source);
  w.frame = () => { const due = frames; frames = []; for (const f of due) f(); };
  w.expire = () => { const due = [...timers.values()]; timers.clear(); for (const t of due) t.f(); };
  w.waits = () => timers.size;
  w.leaves = () => listeners.get('pagehide')?.();
  w.settle = () => new Promise((done) => setImmediate(done));
  w.start = (result) => { w.says({id: w.sent[0].id, result: result ?? {protocolVersion: '2026-01-26', hostCapabilities: caps, hostContext: context}}); return w.settle(); };
  w.bridge.connect();
  return answer ? w.start().then(() => w) : w;
}
const methods = (w) => w.sent.map((m) => m.method ?? 'answer');

// V-01, V-02, V-03, V-04, V-05
test('ui/initialize comes first and alone, initialized once after its answer', async () => {
  const w = world({answer: false});
  w.frame();
  assert.deepEqual(methods(w), ['ui/initialize']);
  assert.deepEqual(w.sent[0].params.appCapabilities, {availableDisplayModes: ['inline', 'fullscreen']});
  assert.equal(w.sent[0].params.protocolVersion, '2026-01-26');
  assert.ok(w.sent[0].params.appInfo.name && w.sent[0].params.appInfo.version);
  await w.start();
  await w.start();
  assert.deepEqual(methods(w), ['ui/initialize', 'ui/notifications/initialized']);
});

// V-03
test('what comes before the answer to ui/initialize waits for it', async () => {
  const w = world({answer: false});
  w.says({method: 'ui/notifications/tool-result', params: {content: []}});
  w.says({method: 'ui/notifications/tool-input', params: {arguments: {id: 1}}});
  assert.deepEqual(w.seen, []);
  await w.start();
  assert.deepEqual(w.seen, ['context', ['result', {content: []}], ['input', {id: 1}, false]]);
});

test('a host that refuses the handshake, or never answers it, is told of; a late answer counts', async () => {
  const refused = world({answer: false});
  refused.says({id: 1, error: {code: -32603, message: 'appInfo: required'}});
  await refused.settle();
  assert.deepEqual(refused.seen, [['refused', 'appInfo: required']]);
  assert.deepEqual(methods(refused), ['ui/initialize']);
  const mute = world({answer: false});
  mute.expire();
  await mute.settle();
  assert.equal(mute.seen[0][0], 'refused');
  await mute.start();
  assert.deepEqual(methods(mute), ['ui/initialize', 'ui/notifications/initialized']);
  assert.equal(mute.seen[1], 'context');
});

// V-25
test('a host that answers in another shape is no reason to stop', async () => {
  for (const result of [{}, {host: {}, capabilities: {}, protocolVersion: '0.1'}, {hostContext: null, hostCapabilities: true}, null, 'yes']) {
    const w = world({answer: false});
    await w.start(result);
    assert.deepEqual(methods(w), ['ui/initialize', 'ui/notifications/initialized']);
    assert.deepEqual([w.bridge.mode(), plain(w.bridge.modes())], ['inline', []]);
  }
});

// V-16, V-17, V-18
test('requests are answered, junk and strangers are not heard', async () => {
  const w = await world();
  w.sent.length = 0;
  w.says({id: 0, method: 'ping'});
  w.says({id: 'x', method: 'tools/list'});
  w.says({id: 1, method: 'ping'}, {});
  w.says({method: 'ui/notifications/whatever', params: 7});
  for (const junk of [null, 1, 'x', [], {}, {jsonrpc: '1.0', id: 3, method: 'ping'}, {jsonrpc: '2.0'}, {jsonrpc: '2.0', id: 99, result: {}}]) w.hears(junk);
  assert.deepEqual(w.sent, [
    {jsonrpc: '2.0', id: 0, result: {}},
    {jsonrpc: '2.0', id: 'x', error: {code: -32601, message: 'Method not found'}},
  ]);
});

// V-09
test('a context that comes in parts is merged at its top level', async () => {
  const w = await world({context: {theme: 'dark', styles: {css: {fonts: 'x'}}, timeZone: 'UTC'}});
  w.says({method: 'ui/notifications/host-context-changed', params: {styles: {variables: {}}}});
  assert.deepEqual(plain(w.bridge.context), {theme: 'dark', styles: {variables: {}}, timeZone: 'UTC'});
});

// V-08
test('the height is reported on change, once a frame, inline only, never 0', async () => {
  const w = await world({context: {availableDisplayModes: ['fullscreen', 'pip']}});
  const reported = () => w.sent.filter((m) => m.method === 'ui/notifications/size-changed').map((m) => m.params);
  w.resized(); w.resized(); w.frame();
  assert.deepEqual(reported(), [{height: 400}]);
  for (const h of [401, 399.2, 0]) { w.height = h; w.resized(); w.frame(); }
  assert.equal(reported().length, 1);
  w.height = 420.4; w.resized(); w.frame();
  assert.deepEqual(reported()[1], {height: 421});
  w.says({method: 'ui/notifications/host-context-changed', params: {displayMode: 'fullscreen'}});
  w.height = 700; w.resized(); w.frame();
  assert.equal(reported().length, 2);
  w.height = 421;
  w.says({method: 'ui/notifications/host-context-changed', params: {displayMode: 'inline'}});
  w.frame();
  assert.deepEqual(reported()[2], {height: 421});
});

// V-06, V-07
test('a display mode is asked for where it is offered, and the answer decides', async () => {
  const w = await world({context: {availableDisplayModes: ['fullscreen', 'pip']}});
  assert.deepEqual(plain(w.bridge.modes()), ['fullscreen']);
  assert.equal(await w.bridge.requestMode('inline'), false);
  for (const [result, mode, got] of [[{}, 'inline', false], [{mode: 'inline'}, 'inline', false], [{mode: 'sideways'}, 'inline', false], [{mode: 'fullscreen'}, 'fullscreen', true]]) {
    const asked = w.bridge.requestMode('fullscreen');
    w.says({id: w.sent.at(-1).id, result});
    assert.equal(await asked, got);
    assert.equal(w.bridge.mode(), mode);
  }
});

// V-26, V-27, V-29
test('a link is opened by the host, and everything else is a no', async () => {
  const w = await world();
  const ask = async (reply) => {
    const opened = w.bridge.openLink('https://example.com/', () => w.seen.push('late'));
    reply(w.sent.at(-1));
    return opened;
  };
  assert.equal(await ask((m) => { assert.deepEqual([m.method, m.params], ['ui/open-link', {url: 'https://example.com/'}]); w.says({id: m.id, result: {}}); }), true);
  assert.equal(await ask((m) => w.says({id: m.id, result: {isError: true}})), false);
  assert.equal(await ask((m) => w.says({id: m.id, error: {code: -32601, message: 'Method not found'}})), false);
  assert.equal(await ask(() => w.expire()), false);
  const before = w.sent.length;
  assert.equal(await w.bridge.openLink('javascript:alert(1)', () => {}), false);
  assert.equal(w.sent.length, before);
  w.says({id: w.sent.at(-1).id, result: {}});
  assert.equal(w.seen.at(-1), 'late');
  const bare = await world({caps: {}});
  assert.equal(await bare.bridge.openLink('https://example.com/', () => {}), false);
  assert.ok(!methods(bare).includes('ui/open-link'));
});

// V-12
test('teardown is answered at once, and nothing is said or heard after it', async () => {
  const w = await world();
  void w.bridge.openLink('https://example.com/', () => {});
  w.sent.length = 0;
  w.says({id: 0, method: 'ui/resource-teardown', params: {}});
  assert.deepEqual(w.sent, [{jsonrpc: '2.0', id: 0, result: {}}]);
  assert.equal(w.seen.at(-1), 'closed');
  assert.equal(w.waits(), 0);
  w.resized(); w.frame(); w.expire();
  w.says({id: 5, method: 'ping'});
  w.says({method: 'ui/notifications/tool-result', params: {}});
  await assert.rejects(w.bridge.request('ping', {}, 1));
  assert.equal(w.sent.length, 1);
  assert.equal(w.seen.at(-1), 'closed');
  const left = await world();
  left.leaves();
  left.says({id: 1, method: 'ping'});
  assert.ok(!methods(left).includes('answer'));
});
