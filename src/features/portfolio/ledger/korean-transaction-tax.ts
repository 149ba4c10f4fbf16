import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { ENTRY_DECIMALS, toFixedPoint } from './fixed-point.ts';

interface Rate {
  /** The first day of trading it holds for. */
  readonly from: Temporal.PlainDate;
  /** Hundredths of a per cent. */
  readonly basisPoints: bigint;
}

const WHOLE_IN_BASIS_POINTS = 10_000n * 10n ** BigInt(ENTRY_DECIMALS);
/** The special tax for rural development on KOSPI, the same since 1997. */
const RURAL_BASIS_POINTS = 15n;
const NONE = new Decimal(0);

const since = (from: string, basisPoints: bigint): Rate => ({
  from: Temporal.PlainDate.from(from),
  basisPoints,
});

/*
 * Securities transaction tax on sales at the exchange (증권거래세법 시행령 제5조), on KOSPI with the special tax for
 * rural development of 0.15 % that is part of the sum. It falls due when the sale is settled, two trading days after
 * the trade (법 제5조, 시행령 제2조): a rate that is in force from 1 January holds for trades of the last days of
 * December. The days below are days of trade.
 *
 * - 0.30 %: "since 1996", the ministry said when it lowered it (press, 2019-04-02, 2019-05-21).
 * - 2019-05-30: settled from 2019-06-03; said so by the Korea Securities Depository (press, 2019-05-27).
 * - 2020-12-29: settled on 2021-01-04; said so by the Korea Exchange (press, 2020-12-29).
 * - 2022-12-28, 2023-12-27: rates in force from 1 January 2023 and 2024; the days of trade are counted back over the
 *   closing days of the year (30 and 29 December), not read anywhere.
 * - 2024-12-27: settled on 2025-01-02; notices of brokers (Hanyang Securities, 2024-12-26).
 * - 2025-12-29: in force from 2026-01-01 (press, 2025-12-01); counted back over the closing day (31 December).
 */
const MAIN_MARKETS = [
  since('1997-01-01', 30n),
  since('2019-05-30', 25n),
  since('2020-12-29', 23n),
  since('2022-12-28', 20n),
  since('2023-12-27', 18n),
  since('2024-12-27', 15n),
  since('2025-12-29', 20n),
];

/** KONEX opened on 2013-07-01; it was 0.10 % before and after the changes of 2025 and 2026 (the same notices). */
const KONEX = [since('2013-07-01', 30n), since('2019-05-30', 10n)];

const TABLES: Readonly<Record<string, readonly Rate[]>> = {
  KOSPI: MAIN_MARKETS,
  KOSDAQ: MAIN_MARKETS,
  KONEX,
};

/**
 * The tax on a sale with these gross proceeds on that trading day. Brokers state the transaction tax and the rural tax
 * (거래세, 농특세) in whole won each, as t0150 of LS Securities does, so each is rounded down. Zero for exchange-traded
 * funds, other markets and days before the table.
 */
export const koreanTransactionTax = (
  instrument: Pick<Instrument, 'exchange' | 'assetClass'>,
  gross: Decimal,
  date: Temporal.PlainDate,
): Decimal => {
  if (instrument.assetClass !== 'equity') return NONE;
  const table = Object.hasOwn(TABLES, instrument.exchange) ? TABLES[instrument.exchange] : undefined;
  const held = table?.findLast(({ from }) => Temporal.PlainDate.compare(from, date) <= 0);
  if (!held) return NONE;
  const proceeds = toFixedPoint(gross, ENTRY_DECIMALS);
  const wonAt = (basisPoints: bigint): bigint => (proceeds * basisPoints) / WHOLE_IN_BASIS_POINTS;
  const rural = instrument.exchange === 'KOSPI' ? RURAL_BASIS_POINTS : 0n;
  return new Decimal((wonAt(held.basisPoints - rural) + wonAt(rural)).toString());
};
