import { describe, expect, it } from 'vitest';
import { PASS } from '#src/chat/gates/gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import type { ChannelId, UserId } from '#src/kernel/ids.ts';
import type { BudgetCheck } from '#src/kernel/agent/usage.ts';
import { budget } from '#src/chat/gates/budget.ts';
import { commandOfSlash } from '#test/support/commands.ts';
import { directMessage, groupMessage } from './support.ts';
import { stripMentions } from '#test/support/markup.ts';

type State = Awaited<ReturnType<BudgetCheck['check']>>;

const setUp = (first: State) => {
  const asked: (readonly [ChannelId, UserId])[] = [];
  const money = { state: first };
  const gate = budget({
    budget: {
      check: async (...who) => {
        asked.push(who);
        return money.state;
      },
    },
    commandOf: commandOfSlash,
    timeZone: 'Asia/Seoul',
    locale: 'auto',
    stripMentions,
  });
  return { asked, money, check: gate.check };
};

describe('budget', () => {
  it('passes while money is left, asking about the sender', async () => {
    const { check, asked } = setUp('ok');
    expect(await check(groupMessage())).toEqual(PASS);
    expect(asked).toEqual([['discord', 'mina']]);
  });

  it.each([
    ['user', 'budget-user', 'budgetUser'],
    ['total', 'budget-total', 'budgetTotal'],
  ] as const)('says every time that the %s budget is spent, and until when', async (state, reason, key) => {
    const { check } = setUp(state);
    const sentence = (locale: 'en' | 'ko', errorId: string) =>
      gateTexts(locale)[key]({ zone: 'Asia/Seoul', errorId });
    expect(sentence('en', 'c0ffee')).toMatch(/midnight \(Asia\/Seoul\).*`\/price`.*c0ffee/);
    expect(sentence('ko', 'c0ffee')).toMatch(/자정\(Asia\/Seoul\).*`\/price`.*c0ffee/);
    for (const [body, locale] of [
      ['How are the markets?', 'en'],
      ['애플 주가 알려줘', 'ko'],
    ] as const) {
      const verdict = await check(directMessage({ body }));
      const errorId = verdict.verdict === 'drop' ? (verdict.errorId ?? '') : '';
      expect(errorId).toMatch(/^[0-9a-f]{8}$/);
      expect(verdict).toEqual({ verdict: 'drop', reason, reply: sentence(locale, errorId), errorId });
    }
  });

  it('tells apart whose budget is spent', async () => {
    const { check, money } = setUp('user');
    await check(directMessage());
    money.state = 'total';
    expect(await check(directMessage())).toMatchObject({ reason: 'budget-total', reply: expect.any(String) });
    money.state = 'ok';
    expect(await check(directMessage())).toEqual(PASS);
  });

  it('passes commands, which cost nothing, without asking', async () => {
    const { check, asked } = setUp('total');
    expect(await check(directMessage({ body: '/price AAPL' }))).toEqual(PASS);
    expect(asked).toEqual([]);
  });
});
