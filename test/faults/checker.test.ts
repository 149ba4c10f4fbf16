import { describe, expect, it } from 'vitest';
import { check } from './checker.ts';
import {
  acknowledged,
  answered,
  asked,
  deleted,
  edited,
  late,
  posted,
  row,
  taken,
  type Told,
} from './doctored.ts';
import { answerTo } from './words.ts';

const problemsOf = ({ history, rows }: Told): readonly string[] => check(history, rows);
const FAILURE = 'Something went wrong on my side. (error 0a1b2c3d)';
const FULL =
  '4 messages are still waiting in this conversation, so I did not take this one. Please send it again in a moment.';
const [FIRST_HALF = '', SECOND_HALF = ''] = answerTo(['m01'], true).split('\n\n[3');

describe('the checker of rounds finds nothing in', () => {
  it.for<[string, Told]>([
    [
      'an answer each',
      {
        history: [...asked('01'), ...asked('02'), answered(['01']), answered(['02'])],
        rows: [row('01'), row('02')],
      },
    ],
    [
      'an answer in parts, of which one was sent again and refused',
      {
        history: [
          ...asked('01'),
          posted('01', FIRST_HALF),
          posted('01', `[3${SECOND_HALF}`),
          { type: 'refused', nonce: 'nonce-1' },
        ],
        rows: [row('01')],
      },
    ],
    [
      'an event that was delivered again, before and after its acknowledgement',
      {
        history: [...asked('01'), acknowledged('event-01', 'duplicate'), answered(['01'])],
        rows: [row('01')],
      },
    ],
    [
      'messages that were answered together',
      {
        history: [...asked('01'), ...asked('02'), answered(['01', '02'])],
        rows: [row('01'), taken('02', 'merged', '01')],
      },
    ],
    [
      'messages that were answered together, as a reply to the last',
      {
        history: [...asked('01'), ...asked('02'), posted('02', answerTo(['m01', 'm02'], false))],
        rows: [row('01'), taken('02', 'merged', '01')],
      },
    ],
    [
      'the newest message instead of the one before',
      {
        history: [...asked('01'), ...asked('02'), answered(['02'])],
        rows: [taken('01', 'superseded', '02'), row('02')],
      },
    ],
    [
      'a sign of work on a message that was given up for another',
      {
        history: [
          ...asked('01'),
          { type: 'reacted', message: 'message-01', emoji: '👀' },
          ...asked('02'),
          answered(['02']),
        ],
        rows: [taken('01', 'superseded', '02'), row('02')],
      },
    ],
    [
      'a message that was deleted in time',
      {
        history: [...asked('01'), ...deleted('01', 'withdrawn')],
        rows: [row('01', { status: 'withdrawn' })],
      },
    ],
    [
      'a message that was deleted too late',
      { history: [...asked('01'), ...deleted('01', 'too-late'), answered(['01'])], rows: [row('01')] },
    ],
    [
      'a failure that was told',
      { history: [...asked('01'), posted('01', FAILURE)], rows: [row('01', { status: 'failed' })] },
    ],
    [
      'half an answer that ends in a failure',
      {
        history: [...asked('01'), posted('01', FIRST_HALF), posted('01', FAILURE)],
        rows: [row('01', { status: 'failed' })],
      },
    ],
    [
      'messages that share a failure',
      {
        history: [...asked('01'), ...asked('02'), posted('01', FAILURE)],
        rows: [row('01', { status: 'failed' }), taken('02', 'merged', '01')],
      },
    ],
    [
      'a refusal with a word about it',
      {
        history: [...asked('01').slice(0, 1), posted('01', FULL), acknowledged('event-01', 'dropped')],
        rows: [],
      },
    ],
    [
      'an answer to what the platform brought late, behind the one to what was said after it',
      {
        history: [...late(asked('01')), ...asked('02'), answered(['02']), answered(['01'])],
        rows: [row('01'), row('02')],
      },
    ],
    [
      'the message that came last instead of the one that was said last',
      {
        history: [...late(asked('01')), ...asked('02'), answered(['01'])],
        rows: [row('01'), taken('02', 'superseded', '01')],
      },
    ],
    [
      'answers to two people in the order in which they were ready',
      {
        history: [
          ...asked('01', 'ben', 'room'),
          ...asked('02', 'eve', 'room'),
          answered(['02'], 'room'),
          answered(['01'], 'room'),
        ],
        rows: [row('01', { sender: 'ben' }), row('02', { sender: 'eve' })],
      },
    ],
  ])('%s', ([, told]) => {
    expect(problemsOf(told)).toEqual([]);
  });
});

describe('the checker of rounds finds', () => {
  const two = [...asked('01'), ...asked('02')];
  const bothDone = [row('01'), row('02')];

  it.for<[string, Told, readonly string[]]>([
    [
      'a message that got no answer',
      { history: [...two, answered(['02'])], rows: bothDone },
      ['m01 is done and got no answer'],
    ],
    [
      'a message that vanished',
      { history: [...two, answered(['02'])], rows: [row('02')] },
      ['m01 was acknowledged and is not in the inbox'],
    ],
    [
      'a message that still waits',
      { history: [...two, answered(['02'])], rows: [row('01', { status: 'pending' }), row('02')] },
      ['m01 is still pending'],
    ],
    [
      'an event that nobody acknowledged',
      { history: [...asked('01').slice(0, 1), answered(['01'])], rows: [row('01')] },
      ['m01 was never acknowledged'],
    ],
    [
      'an event that was accepted twice',
      { history: [...asked('01'), acknowledged('event-01'), answered(['01'])], rows: [row('01')] },
      ['m01 was accepted twice'],
    ],
    [
      'an event with two rows',
      { history: [...asked('01'), answered(['01'])], rows: [row('01'), row('01', { id: 'inbox-02' })] },
      ['An event is in the inbox twice'],
    ],
    [
      'an answer that was given twice',
      { history: [...asked('01'), answered(['01']), answered(['01'])], rows: [row('01')] },
      ['m01 got an answer that has not one beginning and one end', 'm01 was told the same twice'],
    ],
    [
      'a part that was sent twice',
      {
        history: [
          ...asked('01'),
          posted('01', FIRST_HALF),
          posted('01', FIRST_HALF),
          posted('01', `[3${SECOND_HALF}`),
        ],
        rows: [row('01')],
      },
      ['m01 got an answer that has not one beginning and one end', 'm01 was told the same twice'],
    ],
    [
      'a part that is missing',
      { history: [...asked('01'), posted('01', FIRST_HALF)], rows: [row('01')] },
      ['m01 got an answer that has not one beginning and one end'],
    ],
    [
      'parts in the wrong order',
      {
        history: [...asked('01'), posted('01', `[3${SECOND_HALF}`), posted('01', FIRST_HALF)],
        rows: [row('01')],
      },
      ['m01 got an answer that has the paragraphs 3412'],
    ],
    [
      'a message in two answers',
      { history: [...two, answered(['01']), answered(['02', '01'])], rows: bothDone },
      ['m01 is in the answers to m01 and m02', 'm02 got an answer about m01, which is not part of its turn'],
    ],
    [
      'answers in the wrong order',
      { history: [...two, answered(['02']), answered(['01'])], rows: bothDone },
      ['m01 was answered after m02'],
    ],
    [
      'answers in the wrong order around one that the platform brought late',
      {
        history: [...two, ...late(asked('03')), answered(['02']), answered(['03']), answered(['01'])],
        rows: [...bothDone, row('03')],
      },
      ['m01 was answered after m02'],
    ],
    [
      'an answer to what two people wrote',
      {
        history: [
          ...asked('01', 'ben', 'room'),
          ...asked('02', 'eve', 'room'),
          answered(['01', '02'], 'room'),
        ],
        rows: [row('01', { sender: 'ben' }), taken('02', 'merged', '01', { sender: 'eve' })],
      },
      ['m01 got an answer about m02 of somebody else'],
    ],
    [
      'an answer in another chat',
      { history: [...asked('01'), answered(['01'], 'room')], rows: [row('01')] },
      ['m01 was answered in another chat'],
    ],
    [
      'an answer about something else',
      { history: [...asked('01'), posted('01', answerTo([], false))], rows: [row('01')] },
      ['m01 got an answer that is not about it'],
    ],
    [
      'a merged message that the answer leaves out',
      { history: [...two, answered(['01'])], rows: [row('01'), taken('02', 'merged', '01')] },
      ['m02 was merged into m01, whose answer is not about it'],
    ],
    [
      'messages that were merged into each other',
      { history: two, rows: [taken('01', 'merged', '02'), taken('02', 'merged', '01')] },
      ['m01 was merged into nothing', 'm02 was merged into nothing'],
    ],
    [
      'an answer whose parts stand in different places',
      {
        history: [
          ...two,
          posted('01', FIRST_HALF.replace('m01', 'm01 m02')),
          posted('02', `[3${SECOND_HALF}`),
        ],
        rows: [row('01'), taken('02', 'merged', '01')],
      },
      ['m01 got an answer whose parts go to different messages'],
    ],
    [
      'a message that was merged into one that was withdrawn',
      {
        history: [...two, ...deleted('01', 'withdrawn')],
        rows: [row('01', { status: 'withdrawn' }), taken('02', 'merged', '01')],
      },
      ['m02 was merged into m01, which was withdrawn'],
    ],
    [
      'a superseded message that was answered all the same',
      {
        history: [...two, answered(['01']), answered(['02'])],
        rows: [taken('01', 'superseded', '02'), row('02')],
      },
      ['m01 is superseded and was answered', 'm01 is superseded, and the answer to m01 is about it'],
    ],
    [
      'a message that was superseded by somebody else',
      {
        history: [...asked('01', 'ben', 'room'), ...asked('02', 'eve', 'room'), answered(['02'], 'room')],
        rows: [taken('01', 'superseded', '02', { sender: 'ben' }), row('02', { sender: 'eve' })],
      },
      ['m01 was superseded by m02 of somebody else'],
    ],
    [
      'a message that was superseded by an older one',
      { history: [...two, answered(['01'])], rows: [row('01'), taken('02', 'superseded', '01')] },
      ['m02 was superseded by the earlier m01'],
    ],
    [
      'a withdrawn message that was answered',
      {
        history: [...asked('01'), ...deleted('01', 'withdrawn'), answered(['01'])],
        rows: [row('01', { status: 'withdrawn' })],
      },
      ['m01 is withdrawn and was answered', 'm01 is withdrawn, and the answer to m01 is about it'],
    ],
    [
      'a message that was withdrawn by nobody',
      { history: asked('01'), rows: [row('01', { status: 'withdrawn' })] },
      ['m01 is withdrawn, and was not deleted'],
    ],
    [
      'a withdrawal that was not heeded',
      { history: [...asked('01'), ...deleted('01', 'withdrawn'), answered(['01'])], rows: [row('01')] },
      ['m01 was withdrawn and is done'],
    ],
    [
      'an edit that was not heeded',
      { history: [...asked('01'), ...edited('01', 'changed'), answered(['01'])], rows: [row('01')] },
      ['m01 was edited in time, and the answer is to the words of before'],
    ],
    [
      'a refusal without a word',
      { history: [...asked('01').slice(0, 1), acknowledged('event-01', 'dropped')], rows: [] },
      ['m01 was refused without a word'],
    ],
    [
      'a failure without a word',
      { history: [...asked('01'), answered(['01'])], rows: [row('01', { status: 'failed' })] },
      ['m01 failed without a word about it'],
    ],
    [
      'an answer and a failure',
      { history: [...asked('01'), answered(['01']), posted('01', FAILURE)], rows: [row('01')] },
      ['m01 was answered, and told of a failure'],
    ],
    [
      'two failures',
      {
        history: [...asked('01'), posted('01', FAILURE), posted('01', FAILURE.replace('0a', '0b'))],
        rows: [row('01', { status: 'failed' })],
      },
      ['m01 was told of 2 failures'],
    ],
    [
      'words to nobody',
      { history: [posted('07', 'Hello?')], rows: [] },
      ['Something was said to nobody: Hello?'],
    ],
    ['a row from nowhere', { history: [], rows: [row('01')] }, ['event-01 was never sent']],
    [
      'a sign of work that is long done',
      {
        history: [...asked('01'), { type: 'reacted', message: 'message-01', emoji: '👀' }, answered(['01'])],
        rows: [row('01')],
      },
      ['message-01 looks as if it were still worked on'],
    ],
  ])('%s', ([, told, problems]) => {
    expect(problemsOf(told)).toEqual(problems);
  });
});
