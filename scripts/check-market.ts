import type { Config } from '#src/config/config.ts';
import { errorMessage } from '#src/core/errors.ts';
import type { Instrument } from '#src/core/finance.ts';
import { createUpbitSource } from '#src/finance/market/upbit/source.ts';
import { createYahooChartQuotes } from '#src/finance/market/yahoo/chart-quotes.ts';
import { createYahooSource } from '#src/finance/market/yahoo/source.ts';
import type { MarketSource } from '#src/finance/market/source.ts';
import { createSymbolSearch } from '#src/finance/symbols/symbols.ts';
import { systemClock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';

export interface MarketFinding {
  readonly status: 'ok' | 'note' | 'bad';
  readonly text: string;
}

const TIMEOUT_MS = 8_000;

/** One price of something that every source of its kind has; undefined where it came. */
const troubleWith = async (source: MarketSource, instrument: Instrument): Promise<string | undefined> => {
  try {
    const quotes = await source.getQuotes([instrument], AbortSignal.timeout(TIMEOUT_MS));
    return quotes.length > 0 ? undefined : `it has no price of ${instrument.ticker}`;
  } catch (error) {
    return errorMessage(error);
  }
};

/** Yahoo gives quotes to sessions, and charts to everybody: each may be refused for itself. */
const yahooFinding = (
  quotes: string | undefined,
  charts: string | undefined,
  { isLiveOnly, without }: { readonly isLiveOnly: boolean; readonly without: string },
): MarketFinding => {
  if (quotes === undefined && charts === undefined)
    return { status: 'ok', text: 'Market data: Yahoo Finance answers' };
  if (charts === undefined)
    return {
      status: 'note',
      text: `Market data: Yahoo Finance gives no quotes (${String(quotes)}); prices come from its charts meanwhile, a few a minute and without extended hours.`,
    };
  if (quotes === undefined)
    return {
      status: 'note',
      text: `Market data: Yahoo Finance gives no charts (${charts}); quotes work, histories and indicators do not until then.`,
    };
  return {
    status: isLiveOnly ? 'bad' : 'note',
    text: `Market data: Yahoo Finance cannot be used (${quotes}). Check the network, a proxy or FINCLAW_YAHOO_URL; ${without}.`,
  };
};

/** Each source is asked for one price. Without any token or key, being offline is no fault. */
export const checkMarket = async (
  { market }: Pick<Config, 'market'>,
  logger: FinClawLogger,
): Promise<readonly MarketFinding[]> => {
  const { mode, isConfigured, yahooUrl, upbitUrl } = market;
  if (mode === 'sample')
    return [{ status: 'note', text: 'Market data: SAMPLE prices only (FINCLAW_MARKET=sample)' }];
  const clock = systemClock;
  const symbols = createSymbolSearch();
  const trial = async (source: MarketSource, symbol: string): Promise<string | undefined> => {
    const match = symbols.resolve(symbol);
    return match.status === 'found' ? troubleWith(source, match.instrument) : `${symbol} is not in the index`;
  };
  const yahooDeps = { ...(yahooUrl && { baseUrl: yahooUrl }), clock, logger };
  const [yahoo, charts, upbit] = await Promise.all([
    trial(createYahooSource(yahooDeps), 'AAPL'),
    trial(createYahooChartQuotes(yahooDeps), 'AAPL'),
    trial(createUpbitSource({ ...(upbitUrl && { baseUrl: upbitUrl }), clock, logger }), 'BTC-KRW'),
  ]);
  const isLiveOnly = mode === 'yahoo' || isConfigured;
  const without = isLiveOnly ? 'prices are missing until then' : 'until then `npm start` shows SAMPLE prices';
  return [
    yahooFinding(yahoo, charts, { isLiveOnly, without }),
    upbit === undefined
      ? { status: 'ok', text: 'Market data: Upbit answers (coins in won)' }
      : {
          status: 'note',
          text: `Market data: Upbit cannot be used (${upbit}); coins in won come from Yahoo Finance meanwhile.`,
        },
  ];
};
