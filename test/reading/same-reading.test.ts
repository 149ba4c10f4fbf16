import { describe, expect, it } from 'vitest';
import { hours } from '#src/features/hours/index.ts';
import { parseCommand } from '#src/chat/commands/command-registry.ts';
import { hoursAnswer } from '#src/features/hours/hours.ts';
import { readAlert } from '#src/features/alerts/conditions/read-condition.ts';
import { evaluate } from '#src/features/calculate/evaluate.ts';
import { readConversion } from '#src/features/fx/read-conversion.ts';
import { dateIn, numberIn } from '#src/features/portfolio/import/columns/cells.ts';
import { readIntent } from '#src/features/intents/read-intent.ts';
import { portfolioTool } from '#test/features/portfolio/asked-service.ts';
import { conditionText } from '#src/features/alerts/condition-input.ts';
import { openPortfolios } from '#test/features/portfolio/service-support.ts';
import { msgContext } from '#test/support/context.ts';
import { symbols } from '#test/support/sample-market.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const { signal } = new AbortController();
/** It is Friday, 2026-11-13, in Seoul. */
const today = Temporal.PlainDate.from('2026-11-13');

type Portfolios = Awaited<ReturnType<typeof openPortfolios>>;

/** The entry that was recorded last. */
const newest = async ({ ledgerOf }: Portfolios, who: string) => {
  const entry = (await ledgerOf(who)).at(-1);
  return entry && { amount: 'amount' in entry ? entry.amount.toFixed() : '', date: entry.date.toString() };
};

const alertLevel = (text: string): string | undefined => {
  const read = readAlert(text);
  const amount = read.status === 'read' && read.draft.kind === 'price' ? read.draft.amount : undefined;
  return amount?.value.toFixed();
};

const sentenceInput = (sentence: string): Readonly<Record<string, unknown>> => {
  const intent = readIntent(sentence, symbols, { today });
  return intent.kind === 'call' ? intent.input : { kind: intent.kind };
};

/** Every part of the program that takes an amount, and what it makes of one. */
const AMOUNT_READERS: Readonly<
  Record<string, (typed: string, currency: 'KRW' | 'USD', portfolios: Portfolios) => unknown>
> = {
  '/portfolio': async (typed, currency, portfolios) => {
    const said = await portfolios.say(`/portfolio deposit ${typed} --currency=${currency} --yes`);
    return said.content.includes('✅') ? (await newest(portfolios, 'mina'))?.amount : said.content;
  },
  record_transaction: async (typed, currency, portfolios) => {
    const { service } = portfolios;
    const { channelId, userId } = portfolios.requesterOf('mina');
    const context = toolContextOf({ channelId, userId });
    const tool = portfolioTool('record_transaction', service);
    const input = { kind: 'deposit', amount: typed, currency, date: '2026-11-12' };
    const { content, isError } = await tool.invoke(input, context, signal);
    return isError ? content : (await newest(portfolios, 'mina'))?.amount;
  },
  '/alert': (typed) => alertLevel(parseCommand(`/alert AAPL > ${typed}`, ['/'])?.args.join(' ') ?? ''),
  set_alert: (typed) => alertLevel(conditionText({ symbol: 'AAPL', condition: 'above', value: typed })),
  import: (typed) => {
    const cell = numberIn(typed);
    return typeof cell === 'string' ? cell : cell.value.toFixed();
  },
  calculator: (typed) => {
    const done = evaluate(typed);
    return done.status === 'ok' ? done.result.value.toFixed() : done.problem;
  },
  '/fx': (typed, currency) => {
    const named = numberIn(typed);
    const isNamed = typeof named !== 'string' && named.currency !== undefined;
    const read = readConversion(`${typed} ${isNamed ? '' : currency} EUR`);
    return read.status === 'read' ? read.amount?.toFixed() : read;
  },
  'offline model': (typed, currency) => {
    const name = currency === 'USD' ? 'AAPL' : '삼성전자';
    const input = sentenceInput(`${name} 10주 ${typed}에 샀어`);
    return input['price'] ?? input;
  },
};

const WON: readonly (readonly [typed: string, value: string])[] = [
  ['1억 3천', '130000000'],
  ['1억 3천만', '130000000'],
  ['1억3천만원', '130000000'],
  ['1억 4천 5백만원', '145000000'],
  ['1.5억', '150000000'],
  ['1.5억원', '150000000'],
  ['2억5', '250000000'],
  ['1억 5000', '150000000'],
  ['7만1천', '71000'],
  ['7만 1천원', '71000'],
  ['7만1천원', '71000'],
  ['8만1200원', '81200'],
  ['61만5천', '615000'],
  ['61만 5천원', '615000'],
  ['삼백만원', '3000000'],
  ['삼백만', '3000000'],
  ['백만원', '1000000'],
  ['천만원', '10000000'],
  ['오십만원', '500000'],
  ['1조원', '1000000000000'],
  ['71,000원', '71000'],
  ['71,000', '71000'],
  ['71000', '71000'],
  ['71000원', '71000'],
  ['₩71,000', '71000'],
  ['￦71,000', '71000'],
  ['７만원', '70000'],
  ['７１，０００', '71000'],
  ['71,000 KRW', '71000'],
  ['KRW 71,000', '71000'],
  ['1.5 million won', '1500000'],
  ['1,234,567원', '1234567'],
  ['0.5만원', '5000'],
  ['15k', '15000'],
];
const DOLLARS: readonly (readonly [typed: string, value: string])[] = [
  ['$1.2k', '1200'],
  ['$180.5', '180.5'],
  ['180.5 USD', '180.5'],
  ['USD 180.5', '180.5'],
  ['US$180.50', '180.5'],
  ['180.5달러', '180.5'],
  ['180.5불', '180.5'],
  ['1,234.56', '1234.56'],
  ['$1,234', '1234'],
  ['1.2 thousand dollars', '1200'],
];

/** Every part that takes a day. */
const DATE_READERS: Readonly<Record<string, (typed: string, portfolios: Portfolios) => unknown>> = {
  '/portfolio': async (typed, portfolios) => {
    const said = await portfolios.say(`/portfolio deposit 1000원 ${typed} --yes`);
    return said.content.includes('✅') ? (await newest(portfolios, 'mina'))?.date : said.content;
  },
  'offline model': (typed) => {
    const input = sentenceInput(`${typed} 삼성전자 10주 71000원에 샀어`);
    return input['date'] ?? input;
  },
  '/hours': async (typed, portfolios) => {
    const markets = { hours: hoursAnswer({ symbols, clock: portfolios.clock }) };
    const context = msgContext({ locale: 'en', timeZone: 'Asia/Seoul' });
    const { content } = await hours.command
      .create({ markets, symbols })
      .execute(['krx', ...typed.split(' ')], context, signal, new Map([['all', true]]));
    return /\d{4}-\d\d-\d\d/u.exec(content)?.[0] ?? content;
  },
};

/** With its year: also in a file. */
const WHOLE_DAYS: readonly (readonly [typed: string, day: string])[] = [
  ['2026-11-12', '2026-11-12'],
  ['2026.11.12', '2026-11-12'],
  ['2026/11/12', '2026-11-12'],
  ['2026. 11. 12.', '2026-11-12'],
  ['2026년 11월 12일', '2026-11-12'],
  ['2026년11월12일', '2026-11-12'],
  ['Nov 12, 2026', '2026-11-12'],
  ['November 12, 2026', '2026-11-12'],
  ['12 Nov 2026', '2026-11-12'],
  ['11/12/2026', '2026-11-12'],
  ['20261112', '2026-11-12'],
  ['２０２６-１１-１２', '2026-11-12'],
];
const DAYS: readonly (readonly [typed: string, day: string])[] = [
  ['11월 12일', '2026-11-12'],
  ['11월12일', '2026-11-12'],
  ['11/12', '2026-11-12'],
  ['Nov 12', '2026-11-12'],
  ['November 12th', '2026-11-12'],
  ['12 Nov', '2026-11-12'],
  ['어제', '2026-11-12'],
  ['그저께', '2026-11-11'],
  ['그제', '2026-11-11'],
  ['오늘', '2026-11-13'],
  ['사흘 전', '2026-11-10'],
  ['3일 전', '2026-11-10'],
  ['지난주 금요일', '2026-11-06'],
  ['지난주 월요일', '2026-11-02'],
  ['이번 주 월요일', '2026-11-09'],
  ['yesterday', '2026-11-12'],
  ['today', '2026-11-13'],
  ['last friday', '2026-11-06'],
  ['3 days ago', '2026-11-10'],
  ['a week ago', '2026-11-06'],
];

/** The texts that some part does not read as that value, with what it makes of them. */
const otherwise = async <Args extends readonly unknown[]>(
  readers: Readonly<Record<string, (typed: string, ...args: Args) => unknown>>,
  rows: readonly (readonly [typed: string, value: string])[],
  ...args: Args
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const [typed, value] of rows)
    for (const [part, reader] of Object.entries(readers)) {
      const read = await reader(typed, ...args);
      if (read !== value) found.push(`${part} reads ${typed} as ${JSON.stringify(read)}, not as ${value}`);
    }
  return found;
};

describe('every part of the program', () => {
  it('reads the same amount', async () => {
    const portfolios = await openPortfolios();
    await portfolios.say('/portfolio new main KRW');
    expect(await otherwise(AMOUNT_READERS, WON, 'KRW', portfolios)).toEqual([]);
    expect(await otherwise(AMOUNT_READERS, DOLLARS, 'USD', portfolios)).toEqual([]);
  });

  it('reads the same day', async () => {
    const portfolios = await openPortfolios();
    expect(await otherwise(DATE_READERS, [...WHOLE_DAYS, ...DAYS], portfolios)).toEqual([]);
    expect(WHOLE_DAYS.map(([typed]) => dateIn(typed, 'month-first')?.toString())).toEqual(
      WHOLE_DAYS.map(([, day]) => day),
    );
  });
});
