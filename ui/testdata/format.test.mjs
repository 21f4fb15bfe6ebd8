import assert from 'node:assert/strict';
import test from 'node:test';
import {load} from './page.mjs';

const {format, words} = load('format.js');
const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const now = Date.UTC(2026, 10, 27, 14, 32, 7);

test('numbers are English', () => {
  assert.equal(format.number(4210), '4,210');
  assert.equal(format.number(-1877), '−1,877');
  assert.equal(format.number(0), '0');
});

// V14
test('only a total is said as a whole', () => {
  assert.equal(format.say(words.openTasks, {total: 1}), '1 open task');
  assert.equal(format.say(words.openTasks, {total: 1234}), '1,234 open tasks');
  assert.equal(format.say(words.openTasks, {knownSoFar: 2}), 'at least 2 open tasks');
  assert.equal(format.say(words.issues, {total: 1}), 'There is 1 issue preventing you from merging this pull request.');
  assert.equal(format.say(words.issues, {total: 2}), 'There are 2 issues preventing you from merging this pull request.');
  assert.equal(format.total({knownSoFar: 5}), undefined);
  assert.equal(format.total({total: 0}), 0);
});

// V14
test('how many are drawn is said beside a total only', () => {
  const {buildsShown: word} = words;
  assert.equal(format.showing(5, 40, {total: 150}, word), 'Showing 5 of 150 builds');
  assert.equal(format.showing(3, 3, {total: 3}, word), '');
  assert.equal(format.showing(25, 25, {knownSoFar: 25}, word), '25 shown. There are more.');
  assert.equal(format.showing(10, 25, {knownSoFar: 25}, word), '25 read so far. There are more.');
  assert.equal(format.showing(10, 25, {total: 312}, word, 25), 'Showing 26 to 35 of 312 builds');
  assert.equal(format.show(5, {total: 150}), 'Show 5 of 150');
  assert.equal(format.show(3, {total: 3}), 'Show 3');
  assert.equal(format.show(5, {knownSoFar: 5}), 'Show');
  assert.equal(format.others(3, {total: 10}), '+7');
  assert.equal(format.others(3, {knownSoFar: 10}), '');
});

test('ages are in Bitbucket\'s steps', () => {
  for (const [passed, want] of [
    [-HOUR, 'just now'], [59_999, 'just now'], [MINUTE, '1 min ago'], [12 * MINUTE, '12 mins ago'], [HOUR, '1 hour ago'],
    [23.9 * HOUR, '23 hours ago'], [DAY, 'yesterday'], [2 * DAY, '2 days ago'], [6.9 * DAY, '6 days ago'], [20 * DAY, '07 Nov 2026'],
  ]) assert.equal(format.age(now - passed, now, 'UTC'), want);
});

// V21
test('a time has its day when it is not today where the reader is', () => {
  assert.equal(format.time(now, now, 'UTC'), '14:32');
  assert.equal(format.time(now, now, 'Asia/Tokyo'), '23:32');
  assert.equal(format.time(now - 15 * HOUR, now, 'UTC'), '26 Nov, 23:32');
  assert.equal(format.time(now - 15 * HOUR, now, 'Asia/Tokyo'), '08:32');
  assert.equal(format.time(now - 400 * DAY, now, 'UTC'), '23 Oct 2025, 14:32');
  assert.equal(format.full(now, 'UTC'), 'Friday 27 Nov 2026, 14:32:07 UTC');
  assert.match(format.time(now, now, 'Nowhere/Atall'), /^\d\d:\d\d$/);
});

test('durations and tests say what there is', () => {
  assert.equal(format.duration(41_000), '41 s');
  assert.equal(format.duration(252_000), '4 min 12 s');
  assert.equal(format.duration(120_000), '2 min');
  assert.equal(format.duration(7_260_000), '2 h 1 min');
  assert.equal(format.tests({failed: 3, successful: 212, skipped: 0}), 'tests: 3 failed, 212 passed');
  assert.equal(format.tests({failed: 0, successful: 0, skipped: 0}), '');
});

test('initials are the first and the last name\'s', () => {
  for (const [name, want] of [['Amara Oyelaran', 'AO'], ['Zoë Åström', 'ZÅ'], ['bo', 'B'], ['李雷', '李'], ['', '?'], ['\u202E\u200B', '?'], ['Jan van der Meer', 'JM']]) {
    assert.equal(format.initials(name), want);
  }
});
