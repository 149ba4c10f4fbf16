import { describe, expect, it } from 'vitest';
import type { CommandFlags } from '#src/kernel/chat/command-definition.ts';
import { quotes as price } from '#src/features/quotes/index.ts';
import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { MarketQueries } from '#src/features/open/market-queries.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { msgContext } from '#test/support/context.ts';

/** Key figures, for `--all` alone. */
const fundamentals: MarketQueries['fundamentals'] = async ({ query }) => ({
  content: `figures of ${query}`,
  facts: [],
  found: 1,
});

const KNOWN = new Set([
  'AAPL',
  'TSLA',
  '애플',
  '테슬라',
  'SK hynix',
  '삼성 전자',
  'us dollar',
  'us',
  'dollar',
]);
const instrument: Instrument = {
  symbol: 'X',
  ticker: 'X',
  name: { ko: 'X', en: 'X' },
  exchange: 'X',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
};
const symbols: Pick<SymbolSearch, 'resolve'> = {
  resolve: (query) =>
    KNOWN.has(query) ? { status: 'found', instrument } : { status: 'unknown', suggestions: [] },
};

const factOf = (entity: string): Fact => ({
  entity,
  metric: 'price',
  value: '1',
  unit: 'USD',
  asOf: '2026-11-13T06:30:00Z',
  source: 'sample',
  isSample: true,
});

/** Knows the names above, and keeps what it was asked. */
const setUp = (search: Pick<SymbolSearch, 'resolve'> = symbols) => {
  const asked: (readonly string[])[] = [];
  const settings: unknown[] = [];
  const quotes: MarketQueries['quotes'] = async (queries, { locale, timeZone }, signal) => {
    asked.push(queries);
    settings.push({ locale, timeZone, signal });
    const found = queries.filter((query) => KNOWN.has(query));
    const content = queries.map((query) => (found.includes(query) ? `${query}: 1` : `unknown: ${query}`));
    return { content: content.join('\n\n'), facts: found.map(factOf), found: found.length };
  };
  const { signal } = new AbortController();
  const command = price.command.create({ markets: { quotes, fundamentals }, symbols: search });
  const ask = (args: readonly string[], ctx: Partial<TurnContext> = {}, flags?: CommandFlags) =>
    command.execute(args, msgContext(ctx), signal, flags);
  return { asked, settings, signal, ask };
};

describe('/price', () => {
  it.each([
    { args: [], locale: 'en' },
    { args: [], locale: 'ko' },
    { args: [',', ' , '], locale: 'en' },
    { args: [''], locale: 'ko' },
  ] as const)('asks which one when there is no name in $args ($locale)', async ({ args, locale }) => {
    const { ask, asked } = setUp();
    expect(await ask(args, { locale })).toEqual({ content: quoteTexts(locale).usage(), ephemeral: true });
    expect(asked).toEqual([]);
  });

  it('finds what is named in a message that it is asked about, and says if nothing is', async () => {
    const { ask, asked } = setUp(createSymbolSearch());
    const about = (text: string) => ask([], { forwarded: [{ text }] });
    await about('오늘 삼성전자가 애플보다 낫네요, $TSLA는 글쎄요');
    expect(asked).toEqual([['삼성전자', '애플', '$TSLA']]);
    expect((await about('좋은 아침입니다')).content).toBe(quoteTexts('en').nothingNamed());
  });

  it('shows all figures of one company below its price where all are asked for', async () => {
    const { ask } = setUp();
    const all: CommandFlags = new Map([['all', true]]);
    expect((await ask(['AAPL'], {}, all)).content).toMatch(/^AAPL: 1\n\nfigures of AAPL$/u);
    expect((await ask(['AAPL'])).content).not.toContain('figures');
  });

  it('passes on what channels can draw and what can be pressed', async () => {
    const cards = { items: [], text: 'beside' };
    const choices = [{ label: 'Apple', command: '/price AAPL' }];
    const quotes: MarketQueries['quotes'] = async () => ({
      content: 'x',
      facts: [],
      found: 1,
      cards,
      choices,
    });
    const { signal } = new AbortController();
    const result = await price.command
      .create({ markets: { quotes, fundamentals }, symbols })
      .execute(['AAPL'], msgContext(), signal);
    expect(result).toEqual({
      content: 'x',
      facts: [],
      ephemeral: false,
      cards: { ...cards, isAnswer: true },
      choices,
    });
  });

  it('answers one name for all to see, with its facts', async () => {
    const { ask, asked } = setUp();
    expect(await ask(['AAPL'])).toEqual({ content: 'AAPL: 1', facts: [factOf('AAPL')], ephemeral: false });
    expect(asked).toEqual([['AAPL']]);
  });

  it.each([
    { typed: 'spaces', args: ['AAPL', 'TSLA'], names: ['AAPL', 'TSLA'] },
    { typed: 'commas and spaces', args: ['애플,', '테슬라'], names: ['애플', '테슬라'] },
    { typed: 'commas alone', args: ['AAPL,TSLA,애플'], names: ['AAPL', 'TSLA', '애플'] },
    { typed: 'stray commas', args: [',AAPL,,', 'TSLA,'], names: ['AAPL', 'TSLA'] },
    {
      typed: 'commas between names of words',
      args: ['SK', 'hynix,', '삼성', '전자'],
      names: ['SK hynix', '삼성 전자'],
    },
    {
      typed: 'a name of two words behind another',
      args: ['애플', '삼성', '전자'],
      names: ['애플', '삼성 전자'],
    },
    {
      typed: 'a name of two words before another',
      args: ['SK', 'hynix', 'TSLA'],
      names: ['SK hynix', 'TSLA'],
    },
    { typed: 'commas that part what would be one name', args: ['us,', 'dollar'], names: ['us', 'dollar'] },
    { typed: 'a quoted name among others', args: ['SK hynix', 'AAPL'], names: ['SK hynix', 'AAPL'] },
  ])('answers several names in the order asked: $typed', async ({ args, names }) => {
    const { ask, asked } = setUp();
    const result = await ask(args);
    expect(asked).toEqual([names]);
    expect(result.content).toBe(names.map((name) => `${name}: 1`).join('\n\n'));
    expect(result.facts).toEqual(names.map(factOf));
    expect(result.ephemeral).toBe(false);
  });

  it.each([
    { what: 'quoted', args: ['SK hynix'] },
    { what: 'as words', args: ['SK', 'hynix'] },
    { what: 'in Korean', args: ['삼성', '전자'] },
    { what: 'though its first word is a name too', args: ['us', 'dollar'] },
  ])('takes a name of two words for one, $what', async ({ args }) => {
    const { ask } = setUp();
    const result = await ask(args);
    expect(result.content).toBe(`${args.join(' ')}: 1`);
    expect(result.facts).toHaveLength(1);
  });

  it('looks up ten names', async () => {
    const { ask, asked } = setUp();
    await ask(Array<string>(10).fill('AAPL'));
    expect(asked.at(-1)).toHaveLength(10);
  });

  it.each(['en', 'ko'] as const)('refuses eleven, and looks nothing up (%s)', async (locale) => {
    const { ask, asked } = setUp();
    const result = await ask(Array<string>(11).fill('AAPL'), { locale });
    expect(result).toEqual({ content: quoteTexts(locale).tooMany({ limit: 10 }), ephemeral: true });
    expect(asked).toEqual([]);
  });

  it('counts names, not words', async () => {
    const { ask, asked } = setUp();
    await ask(Array.from({ length: 10 }, () => ['SK', 'hynix']).flat());
    expect(asked).toEqual([Array<string>(10).fill('SK hynix')]);
    expect((await ask(Array<string>(5_000).fill('AAPL'))).content).toBe(
      quoteTexts('en').tooMany({ limit: 10 }),
    );
  });

  it('tells the one who typed it alone when nothing was found', async () => {
    const { ask } = setUp();
    expect(await ask(['APPL'])).toEqual({ content: 'unknown: APPL', facts: [], ephemeral: true });
    expect((await ask(['APPL', 'TLSA'])).ephemeral).toBe(true);
  });

  it('answers for all to see when at least one was found', async () => {
    const { ask } = setUp();
    expect(await ask(['AAPL', 'TLSA'])).toEqual({
      content: 'AAPL: 1\n\nunknown: TLSA',
      facts: [factOf('AAPL')],
      ephemeral: false,
    });
  });

  it('looks up in the language and time zone of the sender, under the signal of the run', async () => {
    const { ask, settings, signal } = setUp();
    await ask(['AAPL', 'TSLA'], { locale: 'ko', timeZone: 'Europe/Berlin' });
    expect(settings).toHaveLength(1);
    for (const used of settings) {
      expect(used).toEqual({ locale: 'ko', timeZone: 'Europe/Berlin', signal });
      expect((used as { readonly signal: AbortSignal }).signal).toBe(signal);
    }
  });
});
