import { describe, expect, it } from 'vitest';
import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import { QUOTES } from './answers/market-facts.ts';

const verdictsOf = (asked: string, answer: string): readonly string[] =>
  checkAnswer(answer, {
    facts: QUOTES.facts,
    ownText: asked,
    looseText: '',
    today: Temporal.PlainDate.from(QUOTES.today),
  }).numbers.map(({ text, verdict }) => `${text.trim()} ${verdict}`);

describe("the person's own numbers", () => {
  it.each([
    ['삼성전자 20만원이지?', '20만 원이 아니라 102,300원입니다.', ['20만 원 quoted', '102,300원 supported']],
    ['삼성전자 20만원이라던데?', '말씀하신 20만 원보다 낮습니다.', ['20만 원 quoted']],
    ['삼성전자 15만원대야?', '15만 원보다 낮은 102,300원입니다.', ['15만 원 quoted', '102,300원 supported']],
    ['애플 200달러인거지?', '200달러가 아니라 272.95달러입니다.', ['200달러 quoted', '272.95달러 supported']],
    ['PER이 30배라던데?', '말씀하신 30배는 확인하지 못했습니다.', ['30배 quoted']],
    ['삼성전자 5만원에 샀어', '주당 52,300원 이익입니다.', ['52,300원 derived']],
    ['삼성전자 137주를 갖고 있어', '137주는 14,015,100원입니다.', ['137주 quoted', '14,015,100원 derived']],
  ])('are read with the particles and endings of Korean: %s', (asked, answer, verdicts) => {
    expect(verdictsOf(asked, answer)).toEqual(verdicts);
  });

  it.each([
    ['삼성전자 20만원이지?', '네, 삼성전자는 현재 20만 원입니다.', ['20만 원 contradicted']],
    ['삼성전자 201,300원 맞지?', '네, 삼성전자는 201,300원입니다.', ['201,300원 contradicted']],
    [
      '삼성전자 20만원 맞지?',
      '네 맞습니다! 삼성전자는 20만 원에 거래되고 있습니다.',
      ['20만 원 contradicted'],
    ],
    ['Apple is at $300, right?', 'Yes, Apple is currently trading at $300.', ['$300 contradicted']],
  ])('are no source for an answer that agrees to a wrong price: %s', (asked, answer, verdicts) => {
    expect(verdictsOf(asked, answer)).toEqual(verdicts);
  });

  it.each([
    ['삼성전자 20만원 가면 알려줘', '네, 삼성전자가 20만 원에 도달하면 알려 드릴게요.'],
    ['삼성전자 5만원에 샀어', '네, 지금 삼성전자를 5만 원에 보유하고 계시네요.'],
    ['나 삼성전자에 1000만원 넣었어', '지금 삼성전자 투자금은 1,000만 원입니다.'],
    ['삼성전자에 1000만원 투자했어', '네, 삼성전자에 투자하신 금액은 현재 1,000만 원입니다.'],
    ['I bought Apple at $150', 'Yes, you bought Apple at $150.'],
  ])('may be repeated as what the person paid or plans: %s', (asked, answer) => {
    expect(verdictsOf(asked, answer)).toEqual([expect.stringMatching(/ quoted$/)]);
  });
});
