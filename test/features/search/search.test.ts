import { describe, expect, it } from 'vitest';
import type { Locale } from '#src/kernel/locale.ts';
import { searchAnswer } from '#src/features/search/search.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { search } from '#src/features/search/index.ts';
import { toolOf } from '#test/support/tool-of.ts';
import { msgContext } from '#test/support/context.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const symbols = createSymbolSearch();
const markets = { search: searchAnswer({ symbols }) };
const { signal } = new AbortController();
const ask = (query: string, locale: Locale = 'ko') =>
  markets.search({ query }, { locale, timeZone: 'Asia/Seoul' }, signal);

describe('a search for a name', () => {
  it('lists what fits, each with name, code, exchange and kind, and to press', async () => {
    const { content, found, choices, facts } = await ask('하이닉스');
    expect(content.split('\n').slice(1, 3)).toEqual([
      '1. **SK하이닉스** · `000660` · KOSPI · 주식',
      expect.stringContaining('하이닉스'),
    ]);
    expect(found).toBe(content.split('\n').length - 1);
    expect(choices?.[0]).toEqual({
      label: 'SK하이닉스 (000660, KOSPI)',
      command: '/price 000660.KS',
      answers: 'pick',
    });
    expect(facts).toEqual([]);
  });

  it('shows hits of all kinds in pages of eight, in the language of the reader', async () => {
    const { content, found, choices } = await ask('s&p', 'en');
    expect(found).toBe(24);
    expect(content).toContain('1. **S&P 500** · `SPX` · S&P · index');
    expect(content).toContain('· ETF');
    expect(content.split('\n')).toHaveLength(1 + 8);
    expect(choices?.[8]).toEqual({ label: 'More ›', command: '/search s&p --page=2', effect: 'replaces' });
    expect(choices).toHaveLength(9);
    for (const { label, command } of choices?.slice(0, 8) ?? []) {
      expect(label.length).toBeLessThanOrEqual(80);
      expect(command).toMatch(/^\/price \S+$/);
    }
  });

  it('says so where only similar names are known', async () => {
    expect((await ask('앤비디아')).content).toContain('"앤비디아"(이)라는 종목은 없습니다');
    expect((await ask('Nvdia', 'en')).content).toBe(
      'Nothing is called "Nvdia". Similar names:\n1. **NVIDIA Corporation** · `NVDA` · NASDAQ · stock',
    );
  });

  it('makes no link or mention of what was typed', async () => {
    expect((await ask('[날씨](https://evil.example) <@U1>', 'en')).content).toMatch(
      /^I found nothing for "날씨 \(https \/\/evil\.example\) U1"/,
    );
  });

  it('offers what is an answer', async () => {
    const { choices } = await ask('GS', 'en');
    expect(choices?.slice(0, 2).map(({ command }) => command)).toEqual(['/price $GS', '/price 078930.KS']);
  });

  it.each(['ko', 'en'] as const)('says clearly that there is nothing (%s)', async (locale) => {
    const { content, found, choices } = await ask('날씨', locale);
    expect(content).toContain('"날씨"');
    expect(content).toContain('005930');
    expect([found, choices]).toEqual([0, undefined]);
    expect((await ask('  ', locale)).content).toContain('/search');
  });
});

describe('who can ask', () => {
  it('a person turns the pages', async () => {
    const [first, second, last] = await Promise.all(
      ['1', '2', '99'].map((page) =>
        search.command
          .create({ markets, symbols })
          .execute(['s&p'], msgContext(), signal, new Map([['page', page]])),
      ),
    );
    expect(second?.content).not.toBe(first?.content);
    expect(second?.choices?.slice(8).map(({ label }) => label)).toEqual(['‹ Back', 'More ›']);
    expect(last?.choices?.slice(8).map(({ command }) => command)).toEqual(['/search s&p --page=2']);
  });

  it('a person with /search, of several words', async () => {
    const command = search.command.create({ markets, symbols });
    const result = await command.execute(['삼성', '전자'], msgContext({ locale: 'ko' }), signal);
    expect(result).toMatchObject({ ephemeral: false });
    expect(result.content).toContain('**삼성전자** · `005930`');
    expect(result.choices?.[0]?.command).toBe('/price 005930.KS');
    const nothing = await command.execute(['날씨'], msgContext({ locale: 'ko' }), signal);
    expect(nothing.ephemeral).toBe(true);
    expect(command.definition.aliases).toEqual(['검색', '종목검색', 'find']);
  });

  it('the model with search_symbol', async () => {
    const tool = toolOf(search, 'search_symbol', { markets });
    expect(tool.definition).toMatchObject({ name: 'search_symbol', group: 'finance', isExternal: false });
    expect(tool.progress({ query: '삼성' }, 'ko')).toBe('삼성 종목 검색 중…');
    const context = toolContextOf({ locale: 'en' });
    const result = await tool.invoke({ query: 'tesla' }, context, signal);
    expect(result.isError).toBe(false);
    expect(result.content).toContain('**Tesla Inc.** · `TSLA` · NASDAQ · stock');
    expect((await tool.invoke({ query: '날씨' }, context, signal)).isError).toBe(true);
    expect((await tool.invoke({}, context, signal)).isError).toBe(true);
  });
});
