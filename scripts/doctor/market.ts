import type { Config } from '#src/platform/config/config.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { PREFERRED_SOURCES, PRIMARY_SOURCE } from '#src/markets/sources/live-sources.ts';
import type { MarketSource } from '#src/markets/sources/source.ts';
import type { SourceDefinition } from '#src/markets/sources/source-definition.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';

const TIMEOUT_MS = 4_000;

/** Asks for one price that every source of its kind has; undefined where it came. */
const troubleWith = async (source: MarketSource, instrument: Instrument): Promise<string | undefined> => {
  try {
    const quotes = await source.getQuotes([instrument], AbortSignal.timeout(TIMEOUT_MS));
    return quotes.length > 0 ? undefined : `it has no price of ${instrument.ticker}`;
  } catch (error) {
    return errorMessage(error);
  }
};

/** Yahoo serves quotes to sessions and charts to everybody, so each may be refused alone. */
const yahooFinding = (
  quotes: string | undefined,
  charts: string | undefined,
  { isLiveOnly, without }: { readonly isLiveOnly: boolean; readonly without: string },
): Finding => {
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
    text: `Market data: Yahoo Finance cannot be used (${quotes}); ${without}`,
    advice: 'Check the network, a proxy or FINCLAW_YAHOO_URL.',
  };
};

/** Asks each source for one price. Without any token or key, being offline is no fault. */
export const checkMarket = async (
  { market }: Pick<Config, 'market'>,
  logger: FinClawLogger,
): Promise<readonly Finding[]> => {
  const { mode, hasLiveSetup, yahooUrl, upbitUrl } = market;
  if (mode === 'sample')
    return [{ status: 'note', text: 'Market data: SAMPLE prices only (FINCLAW_MARKET=sample)' }];
  const clock = systemClock;
  const symbols = createSymbolSearch();
  const trial = async (source: MarketSource, symbol: string): Promise<string | undefined> => {
    const match = symbols.resolve(symbol);
    return match.status === 'found' ? troubleWith(source, match.instrument) : `${symbol} is not in the index`;
  };
  const baseUrls: Readonly<Record<string, string | undefined>> = { yahoo: yahooUrl, upbit: upbitUrl };
  const depsOf = ({ id }: SourceDefinition) => ({ baseUrl: baseUrls[id], clock, logger });
  const { create, createFallback = create, probeSymbol } = PRIMARY_SOURCE;
  const [yahoo, charts, ...preferred] = await Promise.all([
    trial(create(depsOf(PRIMARY_SOURCE)), probeSymbol),
    trial(createFallback(depsOf(PRIMARY_SOURCE)), probeSymbol),
    ...PREFERRED_SOURCES.map((each) => trial(each.create(depsOf(each)), each.probeSymbol)),
  ]);
  const isLiveOnly = mode === 'yahoo' || hasLiveSetup;
  // A missing quote comes from the charts.
  const isPrimaryUsable = yahoo === undefined || charts === undefined;
  const without = isLiveOnly
    ? 'prices are missing until then'
    : 'until then the terminal chat shows SAMPLE prices';
  return [
    yahooFinding(yahoo, charts, { isLiveOnly, without }),
    ...PREFERRED_SOURCES.map(({ name, covers }, index): Finding => {
      const problem = preferred[index];
      return problem === undefined
        ? { status: 'ok', text: `Market data: ${name} answers (${covers})` }
        : {
            status: 'note',
            text: `Market data: ${name} cannot be used (${problem}); ${
              isPrimaryUsable
                ? `${covers} come from ${PRIMARY_SOURCE.name} meanwhile`
                : `${covers} are ${isLiveOnly ? 'missing' : 'SAMPLE prices'} until then`
            }`,
          };
    }),
  ];
};
