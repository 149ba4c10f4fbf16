import { option, type TypedWords } from '#src/features/ability.ts';
import type { CommandOption } from '#src/kernel/chat/command-definition.ts';
import { type ChartTheme, readTheme } from '#src/kernel/market/chart-style.ts';
import { shortened } from '#src/kernel/text.ts';
import type { Uses } from '#src/platform/services.ts';
import { themeOption } from '#src/markets/answers/chart-options.ts';
import { MAX_NAME_LENGTH } from '#src/markets/answers/name-input.ts';
import { z } from 'zod';
import type { PortfolioService } from '../service.ts';
import { portfolioTexts } from '../texts/portfolio.ts';

export interface Deps extends Uses<'symbols.resolve'> {
  readonly portfolio: PortfolioService;
}

/** `@pension`; `@190` is a price. */
const PORTFOLIO_NAME = /^@(\p{L}[\p{L}\p{M}\p{N}_-]*)$/u;

const nameIn = (word: string): string | undefined => PORTFOLIO_NAME.exec(word.normalize('NFKC'))?.[1];

/** What is typed for an action, without the names of portfolios. */
export interface PortfolioLine extends TypedWords {
  readonly portfolio: string | undefined;
  /** Every name behind an `@`. */
  readonly named: readonly string[];
  readonly isSure: boolean;
}

export const textOf = (
  { flags }: Pick<TypedWords, 'flags'>,
  ...names: readonly string[]
): string | undefined =>
  names
    .map((name) => flags.get(name))
    .find((value): value is string => typeof value === 'string' && value !== '');

/** The words apart from the names of portfolios behind an `@`. */
export const withoutNames = (words: readonly string[]): readonly string[] =>
  words.filter((word) => nameIn(word) === undefined);

export const lineOf = (typed: TypedWords): PortfolioLine => {
  const named = typed.words.flatMap((word) => nameIn(word) ?? []);
  return {
    ...typed,
    words: withoutNames(typed.words),
    named,
    portfolio: textOf(typed, 'in', 'portfolio') ?? named[0],
    isSure: typed.flags.has('yes'),
  };
};

export const reads =
  <Read>(read: (line: PortfolioLine) => Read) =>
  (typed: TypedWords): Read =>
    read(lineOf(typed));

/** The words without that for the background of the picture. */
export const withoutTheme = ({
  words,
  ...line
}: PortfolioLine): { readonly words: readonly string[]; readonly theme: ChartTheme | undefined } => ({
  words: words.filter((word) => readTheme(word) === undefined),
  theme: words.map(readTheme).find((theme) => theme !== undefined) ?? namedTheme(line),
});

export const namedTheme = (line: Pick<TypedWords, 'flags'>): ChartTheme | undefined =>
  readTheme(textOf(line, 'theme') ?? '');

const NOTE_WORD = /^(?:note|memo|메모|비고)[:=]?\s{1,3}/iu;
const OF_MONEY: ReadonlySet<string> = new Set(['deposit', 'withdrawal', 'fee', 'interest']);

type Example = keyof ReturnType<typeof portfolioTexts>['examples'];

/** Says which words were not understood, with an example of what is. Some look like a note: `note first lot`, `$3 wire`. */
export const leftOver = (
  typed: string,
  of: Example,
  { ctx: { locale } }: Pick<TypedWords, 'ctx'>,
): string => {
  const t = portfolioTexts(locale);
  const isNote = NOTE_WORD.test(typed) || (OF_MONEY.has(of) && /^[\p{L} ]+$/u.test(typed));
  const said = t.leftOver({ typed: shortened(typed), example: t.examples[of] });
  return isNote ? `${said} ${t.noteGoes()}` : said;
};

/** What models may leave out. */
export const told = <Value>(schema: z.ZodType<Value>, description: string): z.ZodType<Value | undefined> =>
  schema.optional().describe(description);

export const optional =
  <Value>(schema: () => z.ZodType<Value>, description: string) =>
  (): z.ZodType<Value | undefined> =>
    told(schema(), description);

/** Models pass an empty name for the default portfolio. */
export const portfolioInput = (
  description = 'Name of one of their portfolios; leave it out for the default',
) => z.string().max(MAX_NAME_LENGTH).optional().describe(description);

export const PORTFOLIO = option('portfolio', '포트폴리오', {
  ko: '포트폴리오 이름 (비우면 기본)',
  en: 'name of the portfolio (the default if left out)',
  isNamed: true,
  aliases: ['in'],
  suggest: 'portfolio',
});

export const SYMBOL = option('symbol', '종목', {
  ko: '종목명, 코드, 코인',
  en: 'name or code of a stock, fund or coin',
  isRequired: true,
  suggest: 'symbol',
});

export const YES = option('yes', '확인', {
  ko: '시세와 다른 단가 등을 묻지 않고 그대로 기록합니다',
  en: 'records it as it is, even with a price far from the last one',
  type: 'flag',
});

/** Which portfolio an action is about. */
export const inPortfolio = {
  option: PORTFOLIO,
  input: () => portfolioInput(),
  read: reads(({ portfolio }) => portfolio),
};

/** The background of the picture. */
export const theme = {
  option: { ...themeOption, isNamed: true as const },
  input: optional(() => z.enum(['light', 'dark']), 'Of the picture, only where the user asks for one'),
  read: reads((line) => withoutTheme(line).theme),
};

/** The values of an option with their names, and other words for some. */
export const choices = (
  ...values: readonly (readonly [value: string, ko: string, en: string, words?: string])[]
) =>
  values.map(([value, ko, en, words]) => ({
    value,
    label: { ko, en },
    ...(words !== undefined && { words: words.split(' ') }),
  })) satisfies CommandOption['choices'];

/** The value of an option that a typed word means. */
export const chosen = ({ choices = [] }: CommandOption, word: string): string | undefined =>
  choices.find(({ value, words = [] }) => [value, ...words].includes(word.toLowerCase()))?.value;

/** Covers requests for many prices and drawing a chart. */
export const PRICES_TIMEOUT_MS = 45_000;
/** Covers requests for every holding, rate and company. */
export const HISTORIES_TIMEOUT_MS = 60_000;
