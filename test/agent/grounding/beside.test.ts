import { describe, expect, it } from 'vitest';
import { evidenceIn } from '#src/agent/grounding/evidence.ts';
import { userTurn } from '#src/agent/loop/turn-message.ts';
import { message } from '#test/agent/loop/adapter-support.ts';
import { ANSWER_GROUPS } from './answers/index.ts';
import { UNSEEN } from './answers/later/index.ts';
import { scoreOfGroups } from './answers/report.ts';
import type { AnswerGroups } from './answers/written-answer.ts';
import { type Beside, OWN_RECORDS, TWO_PAGES, WITH_HEADLINES } from './beside.ts';

const SETS = { 'hand-written': ANSWER_GROUPS, unseen: UNSEEN } as const;

const shareIn = (groups: AnswerGroups, beside?: Beside) => {
  const { caught, wrong, flagged, right } = scoreOfGroups(groups, beside).total;
  return { caught: caught / wrong, doubted: flagged.length / right };
};
const ALONE = { 'hand-written': shareIn(ANSWER_GROUPS), unseen: shareIn(UNSEEN) } as const;

describe.each([
  ["the person's records", OWN_RECORDS, 0.001],
  ['the headlines of the day', WITH_HEADLINES, 0.01],
  ['two pages about other companies', TWO_PAGES, 0.02],
] as const)('an answer beside %s', (_name, beside, mostLost) => {
  it.each(['hand-written', 'unseen'] as const)(
    'has nearly as many wrong numbers caught, and no more doubted: %s',
    (name) => {
      const alone = ALONE[name];
      const { caught, doubted } = shareIn(SETS[name], beside);
      expect(alone.caught - caught).toBeLessThanOrEqual(mostLost);
      expect(doubted - alone.doubted).toBeLessThanOrEqual(0.001);
    },
  );
});

const looseIn = (overrides: Parameters<typeof message>[2]): string =>
  evidenceIn([userTurn(message('1', 'Hi', overrides))], Temporal.PlainDate.from('2026-11-13')).looseText;

describe('what comes with a message', () => {
  it('is text that was read only where somebody else wrote it for the person to pass on', () => {
    const forwarded = [{ authorName: 'Eve', text: 'It pays 4.7%.' }];
    const named = { chatType: 'channel', senderName: 'Mina 77', groupSubject: '5,000 or bust' } as const;
    expect(looseIn({ ...named, forwarded })).toBe('> It pays 4.7%.');
    expect(looseIn(named)).toBe('');
  });

  it('has its headlines apart', () => {
    expect(WITH_HEADLINES.looseText).toBe('');
    expect(WITH_HEADLINES.headlineText?.split('\n')).toHaveLength(3);
    expect(WITH_HEADLINES.contextText).toContain('average cost 71300 KRW');
  });
});
