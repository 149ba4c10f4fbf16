import { describe, expect, it } from 'vitest';
import { displayed } from '#src/chat/delivery/answer-display.ts';
import type { AnswerDisplay } from '#src/kernel/agent/execution.ts';

const card = { title: 'Apple', headline: '$304', fields: [], footer: '', tone: 'up' as const };
const REFRESH = { label: 'Refresh', command: '/price AAPL', effect: 'replaces' as const };
const display: AnswerDisplay = {
  words: 'Apple: $304',
  cards: { items: [card], text: '' },
  choices: [REFRESH],
};
const framed = (text: string): string => ['> heard', text, '_end_'].filter(Boolean).join('|');

describe('what a tool shows beside an answer', () => {
  it('stands in place of the words of the tool, as with the command', () => {
    expect(displayed('Apple: $304\n\n_note_', display, framed)).toEqual({
      text: '> heard|Apple: $304\n\n_note_|_end_',
      isBare: true,
      isUnclear: false,
      cards: { items: [card], text: '> heard|_note_|_end_', isAnswer: true },
      choices: [REFRESH],
    });
  });

  it('comes below the words of a model, which stay when a control is pressed', () => {
    expect(displayed('It rose.', display, framed)).toEqual({
      text: '> heard|It rose.|_end_',
      isBare: false,
      isUnclear: false,
      cards: { items: [card], text: '> heard|It rose.|_end_' },
      choices: [{ label: 'Refresh', command: '/price AAPL' }],
    });
  });

  it('leaves a typed yes and a typed number to the model, and a typed yes to the words of the tool', () => {
    const yes = { label: 'Yes', command: '/alert 1 --yes', answers: 'yes' as const };
    const pick = { label: 'Samsung', command: '/price 005930', answers: 'pick' as const };
    const asking = { words: 'Which?', choices: [yes, pick] };
    const [bareYes, barePick] = [
      { label: 'Yes', command: '/alert 1 --yes' },
      { label: 'Samsung', command: '/price 005930' },
    ];
    expect(displayed('Which one?', asking, framed)).toMatchObject({
      isUnclear: true,
      choices: [bareYes, barePick],
    });
    expect(displayed('Which?', asking, framed).choices).toEqual([yes, barePick]);
  });

  it('says what to type only where there are no buttons', () => {
    const typed = { words: 'Delete it?\n\nType `y`', typed: 'Type `y`', choices: [REFRESH] };
    expect(displayed('Delete it?\n\nType `y`\n\n_note_', typed, (text) => text)).toMatchObject({
      text: 'Delete it?\n\n_note_',
      typed: 'Type `y`',
    });
  });

  it('is nothing where the model said nothing', () => {
    expect(displayed('', display, (text) => text)).toEqual({
      text: '',
      isBare: true,
      isUnclear: false,
      choices: [],
    });
  });
});
