import { earnings } from '#src/features/earnings/index.ts';
import { charting } from '#src/features/charting/index.ts';
import { compare } from '#src/features/compare/index.ts';
import { fx } from '#src/features/fx/index.ts';
import { coins, overview } from '#src/features/overview/index.ts';
import { hours } from '#src/features/hours/index.ts';
import { news } from '#src/features/news/index.ts';
import { quotes } from '#src/features/quotes/index.ts';
import { search } from '#src/features/search/index.ts';
import { alert, alerts } from '#src/features/alerts/index.ts';
import { briefings } from '#src/features/briefings/index.ts';
import { portfolio } from '#src/features/portfolio/index.ts';
import { watchlist } from '#src/features/watchlist/index.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import type { Features } from '#src/features/open/open-features.ts';
import { asId, type UserId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { msgContext } from '#test/support/context.ts';
import { type Said, saidTo } from './said.ts';

/** In order: later lines speak of what earlier ones recorded. */
const LINES: Readonly<Record<Locale, readonly string[]>> = {
  ko: [
    '/price 삼성전자, 애플, 비트코인, 코스피, 달러',
    '/price 엔화, 금, 미국 10년물',
    '/chart 삼성전자 1y',
    '/chart 애플 5d',
    '/compare 삼성전자 SK하이닉스 1y',
    '/compare 삼성전자 애플 비트코인 3mo',
    '/market',
    '/crypto',
    '/fx 100달러 원',
    '/fx 엔화',
    '/news 삼성전자',
    '/earnings 애플',
    '/earnings',
    '/hours',
    '/hours 미국',
    '/search 삼성',
    '/portfolio 입금 50000000원 2026-01-02',
    '/portfolio add 삼성전자 10 71200 2026-01-05 --yes',
    '/portfolio add AAPL 3 246.35 2026-02-10 --yes',
    '/portfolio 매도 삼성전자 2 83400 2026-05-12 --yes',
    '/portfolio 배당 AAPL 8.06 2026-05-15',
    '/portfolio 환전 1438000원 1000달러 2026-03-02',
    '/portfolio 이자 12000원 2026-06-30',
    '/portfolio 수수료 5000원 2026-07-01',
    '/portfolio',
    '/portfolio history',
    '/portfolio analysis',
    '/portfolio analysis 3mo',
    '/portfolio tax 2026',
    '/portfolio actions',
    '/portfolio rebalance 삼성전자 60% AAPL 30% 현금 10%',
    '/portfolio export',
    '/portfolio list',
    '/portfolio 목표 삼성전자 60 AAPL 30 현금 10',
    '/portfolio 리밸런싱 새돈 1000000원',
    '/portfolio import\n날짜,구분,종목,수량,단가\n2026-04-08,매수,NAVER,7,231500',
    '/portfolio undo 5',
    '/alert 삼성전자 > 110000 --yes',
    '/alert 애플 -5%',
    '/alert 애플 rsi < 30',
    '/alert 하이닉스 골든크로스',
    '/alert 테슬라 거래량 3배',
    '/alert 네이버 52주 최고가',
    '/alerts',
    '/watch 엔비디아, 네이버',
    '/watch',
    '/briefing 08:30 평일',
    '/briefing',
    '/briefing now',
  ],
  en: [
    '/price AAPL, Samsung Electronics, BTC, S&P 500, USD/KRW',
    '/price JPY/KRW, gold, TNX',
    '/chart AAPL 1y',
    '/chart BTC 1mo',
    '/compare AAPL TSLA 3mo',
    '/compare AAPL 005930 BTC 1y',
    '/market',
    '/crypto',
    '/fx 100 usd krw',
    '/fx eur',
    '/news AAPL',
    '/earnings AAPL',
    '/earnings',
    '/hours',
    '/hours US',
    '/search apple',
    '/portfolio deposit 50000000 KRW 2026-01-02',
    '/portfolio add AAPL 7 246.35 2026-02-10 --yes',
    '/portfolio add 005930 10 71200 2026-01-05 --yes',
    '/portfolio sell AAPL 2 290 2026-07-08 --yes',
    '/portfolio dividend AAPL 8.06 2026-05-15',
    '/portfolio interest 12000 KRW 2026-06-30',
    '/portfolio fee 5000 KRW 2026-07-01',
    '/portfolio',
    '/portfolio history',
    '/portfolio analysis 3mo',
    '/portfolio tax 2026',
    '/portfolio actions',
    '/portfolio rebalance 005930 60% AAPL 30% cash 10%',
    '/portfolio export',
    '/portfolio list',
    '/portfolio target 005930 60 AAPL 30 cash 10',
    '/portfolio import\ndate,kind,symbol,quantity,price\n2026-04-08,buy,MSFT,7,431.5',
    '/portfolio undo 5',
    '/alert AAPL > 350 --yes',
    '/alert AAPL -5%',
    '/alert AAPL rsi < 30',
    '/alert MSFT golden cross',
    '/alert TSLA volume 3x',
    '/alerts',
    '/watch NVDA, MSFT',
    '/watch',
    '/briefing 08:30 weekdays',
    '/briefing',
    '/briefing now',
  ],
};

/** What the commands about markets and about what a person has say on the sample market. */
export const sayCommands = async (
  { markets, symbols, personal }: Features,
  locale: Locale,
): Promise<readonly Said[]> => {
  const deps = { markets, symbols, ...personal };
  const registry = createCommandRegistry([
    ...[charting, compare, overview, coins, fx].map(({ command }) => command.create(deps)),
    ...[quotes, news, earnings, hours, search].map(({ command }) => command.create(deps)),
    portfolio.command.create(deps),
    ...[alert, alerts, watchlist, briefings].map(({ command }) => command.create(deps)),
  ]);
  const said: Said[] = [];
  for (const line of LINES[locale]) {
    const found = registry.commandIn(line);
    if (found?.kind !== 'known') throw new Error(`${line} is no command`);
    const ctx = msgContext({ locale, rawBody: line, senderId: asId<UserId>(`person-${locale}`) });
    const result = await registry.execute(found.parsed, ctx, new AbortController().signal);
    // The cells of pasted lines are numbers of their own.
    said.push(saidTo(line, result, line.replaceAll(',', ' ')));
  }
  return said;
};
