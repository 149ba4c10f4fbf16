import type { Locale } from '#src/kernel/locale.ts';
import { importMessages } from '../messages/import.ts';
import { type Decimal, formatCount } from '#src/kernel/money.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import {
  amountsApart,
  gainText,
  quantitiesApart,
  shownQuantityText,
  writtenMoneyText,
} from '#src/markets/answers/money-text.ts';
import type { FileError } from './entries/read-entries.ts';
import type { CashCheck, HoldingCheck, Reconciliation } from './entries/reconcile.ts';

const SHOWN_NAMES = 5;
const SHOWN_CHECKS = 5;
const SHOWN_LINES = 10;

const cashLines = (check: CashCheck, locale: Locale): readonly string[] => {
  const t = importMessages(locale);
  const { currency, compared, opening, end, first, unread } = check;
  const text = (value: Decimal): string => writtenMoneyText(value, currency, locale);
  const [told = '', computed = ''] = first
    ? amountsApart([first.told, first.computed], currency, locale)
    : [];
  const isFit = compared > 0 && first === undefined && unread.length === 0;
  const fits =
    compared > 1
      ? t.cashFits({ end: text(end), count: formatCount(compared, locale) })
      : t.cashStated({ end: text(end) });
  const lost = unread.reduce((sum, { amount }) => sum.plus(amount), end.minus(end));
  const numbers = unread.slice(0, SHOWN_LINES).map(({ line }) => String(line));
  return [
    ...(isFit ? [fits] : []),
    ...(first ? [t.cashDiffers({ line: first.line, told, computed })] : []),
    ...(unread.length === 0
      ? []
      : [
          t.cashUnread({
            lines: `${numbers.join(', ')}${unread.length > SHOWN_LINES ? ', …' : ''}`,
            amount: gainText(lost, currency, locale),
          }),
        ]),
    ...(opening.greaterThan(0)
      ? [
          t.cashOpening({
            amount: text(opening),
            command: `/portfolio deposit ${opening.toFixed()} ${currency}`,
          }),
        ]
      : []),
  ];
};

const holdingLines = (checks: readonly HoldingCheck[], locale: Locale): readonly string[] => {
  const t = importMessages(locale);
  const odd = checks.filter(({ first, opening }) => first !== undefined || opening.greaterThan(0));
  if (checks.length > 0 && odd.length === 0)
    return [t.holdingsFit({ count: formatCount(checks.length, locale) })];
  return odd.slice(0, SHOWN_CHECKS).flatMap(({ instrument, first, opening }) => {
    const name = instrumentLabel(instrument, locale);
    const text = (value: Decimal): string => shownQuantityText(value, instrument, locale);
    const [told = '', computed = ''] = first
      ? quantitiesApart([first.told, first.computed], instrument, locale)
      : [];
    return [
      ...(opening.greaterThan(0) ? [t.holdingOpening({ name, quantity: text(opening) })] : []),
      ...(first ? [t.holdingDiffers({ line: first.line, name, told, computed })] : []),
    ];
  });
};

/** Whether cash and quantities come to what the file itself says, and what will be missing from them. */
export const checkLines = (
  { cash, holdings }: Reconciliation,
  errors: readonly FileError[],
  locale: Locale,
): readonly string[] => {
  const t = importMessages(locale);
  const names = [
    ...new Set(errors.flatMap(({ lacks }) => (lacks?.kind === 'pieces' ? [echo(lacks.name)] : []))),
  ];
  const more = names.length > SHOWN_NAMES ? ', …' : '';
  const lines = [
    ...cash.slice(0, SHOWN_CHECKS).flatMap((check) => cashLines(check, locale)),
    ...holdingLines(holdings, locale),
    ...(names.length === 0
      ? []
      : [t.lacksPieces({ names: `${names.slice(0, SHOWN_NAMES).join(', ')}${more}` })]),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
};
