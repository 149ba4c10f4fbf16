import { CURRENCY_ANSWERS } from './currencies.ts';
import { ESSAY_ANSWERS } from './essays.ts';
import { FUNDAMENTAL_ANSWERS } from './fundamentals.ts';
import { HISTORY_ANSWERS } from './history.ts';
import { INDICATOR_ANSWERS } from './indicators.ts';
import { HISTORY, INDICATORS, QUOTES } from './market-facts.ts';
import { CALCULATIONS, CALENDAR, CURRENCIES, FUNDAMENTALS } from './money-facts.ts';
import { CALCULATION_ANSWERS, CALENDAR_ANSWERS } from './plans.ts';
import { PORTFOLIO_ANSWERS } from './portfolio.ts';
import { PORTFOLIO_FACTS } from './portfolio-facts.ts';
import { QUOTE_ANSWERS } from './quotes.ts';
import { REPLY_ANSWERS } from './replies.ts';
import type { AnswerGroups, FactSet } from './written-answer.ts';

const SEVERAL: FactSet = {
  today: QUOTES.today,
  facts: [...QUOTES.facts, ...INDICATORS.facts, ...FUNDAMENTALS.facts],
};

const ACCOUNT: FactSet = {
  today: PORTFOLIO_FACTS.today,
  facts: [...PORTFOLIO_FACTS.facts, ...CURRENCIES.facts],
};

/** Every hand-written answer, with what the tools said before it. */
export const ANSWER_GROUPS: AnswerGroups = {
  quotes: [QUOTES, QUOTE_ANSWERS],
  history: [HISTORY, HISTORY_ANSWERS],
  indicators: [INDICATORS, INDICATOR_ANSWERS],
  fundamentals: [FUNDAMENTALS, FUNDAMENTAL_ANSWERS],
  currencies: [CURRENCIES, CURRENCY_ANSWERS],
  portfolio: [PORTFOLIO_FACTS, PORTFOLIO_ANSWERS],
  calculations: [CALCULATIONS, CALCULATION_ANSWERS],
  calendar: [CALENDAR, CALENDAR_ANSWERS],
  replies: [ACCOUNT, REPLY_ANSWERS],
  essays: [SEVERAL, ESSAY_ANSWERS],
};
