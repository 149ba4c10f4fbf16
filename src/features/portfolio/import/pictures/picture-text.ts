import type { Locale } from '#src/kernel/locale.ts';
import { type Currency, type Decimal, formatCount, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { amountsApart, exactPriceText, writtenMoneyText } from '#src/markets/answers/money-text.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { pictureTexts } from '../../texts/pictures.ts';
import { entryText } from '../../entries/entry-text.ts';
import type { FileEntry } from '../build/read-entries.ts';
import type { MarketDoubt } from './check-positions.ts';
import type { Doubt } from './check-rows.ts';
import type { TotalFinding } from './check-totals.ts';
import type { BrokerPicture } from './read-broker-picture.ts';

const MAX_DECIMALS = 8;
const PERCENT_DECIMALS = 2;

const apart = (
  { shown, computed }: { readonly shown: Decimal; readonly computed: Decimal },
  currency: Currency | undefined,
  locale: Locale,
): { readonly shown: string; readonly computed: string } => {
  if (currency === undefined) {
    const write = (value: Decimal): string =>
      formatFinancialNumber(value, { locale, maximumFractionDigits: MAX_DECIMALS });
    return { shown: write(shown), computed: write(computed.toDecimalPlaces(PERCENT_DECIMALS)) };
  }
  const [one, other] = amountsApart([shown, computed], currency, locale);
  return { shown: one, computed: other };
};

const doubtText = (doubt: Doubt | MarketDoubt, { locale, timeZone }: Audience): string => {
  const t = pictureTexts(locale);
  if (doubt.kind === 'market') {
    const { instrument, shown, market, origin } = doubt;
    const day = origin.asOf.toZonedDateTimeISO(timeZone).toPlainDate().toString();
    return t.market({
      shown: exactPriceText(shown.toDecimalPlaces(MAX_DECIMALS), instrument, locale),
      market: exactPriceText(market, instrument, locale),
      origin: `${origin.source}, ${day}`,
    });
  }
  if (doubt.kind === 'unread') return t.unread({ written: echo(doubt.written) });
  if (doubt.kind !== 'row') return t[doubt.kind]();
  const { shown, computed } = apart(doubt, doubt.currency, locale);
  const unit = doubt.sum === 'percent' ? '%' : '';
  return t.sums[doubt.sum]({ shown: `${shown}${unit}`, computed: `${computed}${unit}` });
};

const findingText = (finding: TotalFinding, kind: BrokerPicture['kind'], locale: Locale): string => {
  const t = pictureTexts(locale);
  if (finding.kind === 'fits') return t.fits();
  if (finding.kind === 'count') return t.count({ ...finding, isOfTrades: kind !== 'holdings' });
  const { currency } = finding;
  if (finding.kind === 'cut') {
    const { missing } = finding;
    return t.cut({
      missing:
        currency === undefined
          ? formatFinancialNumber(missing, { locale, maximumFractionDigits: MAX_DECIMALS })
          : writtenMoneyText(missing, currency, locale),
    });
  }
  return t.differs({ ...apart(finding, currency, locale), total: t.totals[finding.total] });
};

/** What the picture says as a whole. What does not fit its totals comes first. */
export const pictureHead = (picture: BrokerPicture, { locale }: Audience): string => {
  const t = pictureTexts(locale);
  const { findings, kind, cash, rowCount } = picture;
  // One sentence about the missing part is enough.
  const firstCut = findings.find((finding) => finding.kind === 'cut');
  const wrong = findings.filter((finding) =>
    finding.kind === 'cut' ? finding === firstCut : finding.kind !== 'fits',
  );
  return [
    ...wrong.map((finding) => findingText(finding, kind, locale)),
    t.read({ rows: rowCount }),
    ...(wrong.length > 0 ? [] : [findings.length > 0 ? t.fits() : t.noTotals()]),
    ...(kind === 'holdings'
      ? [t.opening({ date: picture.date.toString(), isShown: picture.isDateShown })]
      : []),
    ...cash.flatMap(({ amount, currency }) =>
      currency === undefined
        ? []
        : [
            t.cash({
              amount: writtenMoneyText(amount, currency, locale),
              command: `/portfolio deposit ${amount.toFixed()} ${currency}`,
            }),
          ],
    ),
  ].join('\n');
};

/** The entries that need a press of their own, with the reason. */
export const doubtedText = (
  doubted: readonly FileEntry[],
  doubtsAt: (line: number) => readonly (Doubt | MarketDoubt)[],
  baseCurrency: Currency,
  told: FactRecorder,
  audience: Audience,
): string => {
  const { locale } = audience;
  const t = pictureTexts(locale);
  return [
    t.doubted({ count: formatCount(new Set(doubted.map(({ line }) => line)).size, locale) }),
    ...doubted.map(({ line, entry }) => {
      const own = doubtsAt(line).map((doubt) => doubtText(doubt, audience));
      const doubts = own.length > 0 ? own.join(' ') : t.depends();
      return t.line({ line, entry: entryText(entry, baseCurrency, told), doubts });
    }),
  ].join('\n');
};
