import { HISTORY, INDICATORS, QUOTES } from '../market-facts.ts';
import { CALCULATIONS, CALENDAR, CURRENCIES, FUNDAMENTALS } from '../money-facts.ts';
import { PORTFOLIO_FACTS } from '../portfolio-facts.ts';
import type { AnswerGroups, FactSet } from '../written-answer.ts';
import { FIRST_CURRENCY_ANSWERS, SECOND_CURRENCY_ANSWERS } from './later-currencies.ts';
import { FIRST_FUNDAMENTAL_ANSWERS, SECOND_FUNDAMENTAL_ANSWERS } from './later-fundamentals.ts';
import { FIRST_HISTORY_ANSWERS, SECOND_HISTORY_ANSWERS } from './later-history.ts';
import { FIRST_INDICATOR_ANSWERS, SECOND_INDICATOR_ANSWERS } from './later-indicators.ts';
import {
  FIRST_CALCULATION_ANSWERS,
  FIRST_CALENDAR_ANSWERS,
  SECOND_CALCULATION_ANSWERS,
  SECOND_CALENDAR_ANSWERS,
} from './later-plans.ts';
import { FIRST_PORTFOLIO_ANSWERS, SECOND_PORTFOLIO_ANSWERS } from './later-portfolio.ts';
import { FIRST_QUOTE_ANSWERS, SECOND_QUOTE_ANSWERS } from './later-quotes.ts';
import { DOLLAR_ACCOUNT, WON_ACCOUNT } from './unseen-account-facts.ts';
import { COMPANY_ANSWERS, THREE_COMPANY_ANSWERS } from './unseen-companies.ts';
import { EXCHANGE_ANSWERS, RATE_ANSWERS } from './unseen-currencies.ts';
import { MONDAY_ANSWERS, PAST_YEAR_ANSWERS } from './unseen-history.ts';
import { APPLE_ANSWERS, TECHNICAL_ANSWERS } from './unseen-indicators.ts';
import { NEW_YORK, PAST_YEAR, SEOUL, TECHNICALS } from './unseen-market-facts.ts';
import { COMPANIES, RATES } from './unseen-money-facts.ts';
import { DATE_ANSWERS, PLAN_ANSWERS } from './unseen-plans.ts';
import { ACCOUNT_ANSWERS, DOLLAR_ACCOUNT_ANSWERS, WON_ACCOUNT_ANSWERS } from './unseen-portfolio.ts';
import { FRIDAY_ANSWERS, NEW_YORK_ANSWERS, SEOUL_ANSWERS } from './unseen-quotes.ts';
import { RESEARCH_ANSWERS } from './unseen-research.ts';

/** Answers written after the check was tuned, and meanwhile used to improve it. */
export const FIRST_LATER: AnswerGroups = {
  quotes: [QUOTES, FIRST_QUOTE_ANSWERS],
  history: [HISTORY, FIRST_HISTORY_ANSWERS],
  indicators: [INDICATORS, FIRST_INDICATOR_ANSWERS],
  fundamentals: [FUNDAMENTALS, FIRST_FUNDAMENTAL_ANSWERS],
  currencies: [CURRENCIES, FIRST_CURRENCY_ANSWERS],
  portfolio: [PORTFOLIO_FACTS, FIRST_PORTFOLIO_ANSWERS],
  calculations: [CALCULATIONS, FIRST_CALCULATION_ANSWERS],
  calendar: [CALENDAR, FIRST_CALENDAR_ANSWERS],
};

/** More answers written after the check was tuned, and meanwhile used to improve it. */
export const SECOND_LATER: AnswerGroups = {
  quotes: [QUOTES, SECOND_QUOTE_ANSWERS],
  history: [HISTORY, SECOND_HISTORY_ANSWERS],
  indicators: [INDICATORS, SECOND_INDICATOR_ANSWERS],
  fundamentals: [FUNDAMENTALS, SECOND_FUNDAMENTAL_ANSWERS],
  currencies: [CURRENCIES, SECOND_CURRENCY_ANSWERS],
  portfolio: [PORTFOLIO_FACTS, SECOND_PORTFOLIO_ANSWERS],
  calculations: [CALCULATIONS, SECOND_CALCULATION_ANSWERS],
  calendar: [CALENDAR, SECOND_CALENDAR_ANSWERS],
};

/** Everything a longer talk about Hyundai Motor, batteries, drinks and currencies would have looked up. */
const RESEARCH: FactSet = {
  today: SEOUL.today,
  facts: [...SEOUL.facts, ...TECHNICALS.facts, ...COMPANIES.facts, ...RATES.facts],
};

/**
 * Answers written after the check was tuned, most of them with facts of their own, and never used to improve it.
 * They tell how the check does on answers it was not made for, as long as nobody tunes it on their misses.
 */
export const UNSEEN: AnswerGroups = {
  seoul: [SEOUL, SEOUL_ANSWERS],
  newYork: [NEW_YORK, NEW_YORK_ANSWERS],
  pastYear: [PAST_YEAR, PAST_YEAR_ANSWERS],
  technicals: [TECHNICALS, TECHNICAL_ANSWERS],
  companies: [COMPANIES, COMPANY_ANSWERS],
  rates: [RATES, RATE_ANSWERS],
  dollarAccount: [DOLLAR_ACCOUNT, DOLLAR_ACCOUNT_ANSWERS],
  wonAccount: [WON_ACCOUNT, WON_ACCOUNT_ANSWERS],
  research: [RESEARCH, RESEARCH_ANSWERS],
  friday: [QUOTES, FRIDAY_ANSWERS],
  monday: [HISTORY, MONDAY_ANSWERS],
  apple: [INDICATORS, APPLE_ANSWERS],
  threeCompanies: [FUNDAMENTALS, THREE_COMPANY_ANSWERS],
  exchange: [CURRENCIES, EXCHANGE_ANSWERS],
  plans: [CALCULATIONS, PLAN_ANSWERS],
  dates: [CALENDAR, DATE_ANSWERS],
  account: [PORTFOLIO_FACTS, ACCOUNT_ANSWERS],
};
