import type { CommandResult } from '#src/kernel/command.ts';
import type { CommandFlags, CommandOption } from '#src/kernel/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import type { Localized } from '#src/kernel/locale.ts';
import { HISTORY_RANGES, type MarketAnswer } from '#src/kernel/market-queries.ts';
import { rangeLabel } from '#src/reading/history-range.ts';
import { ephemeral } from '../shared/results.ts';

export interface MarketCommandDeps<Queries> {
  readonly markets: Queries;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

/** `--all` shows what the short answer leaves out. */
const ALL: readonly string[] = ['all', '전체'];

export const asksForAll = (flags?: CommandFlags): boolean => ALL.some((flag) => flags?.has(flag) === true);

/** A market answer as a command's result. Only the requester sees it if nothing was found. */
export const commandResult = (answer: MarketAnswer, flags?: CommandFlags): CommandResult => {
  const { details } = answer;
  if (details === undefined || !asksForAll(flags)) return resultOf(answer);
  const { cards: _short, ...rest } = answer;
  return resultOf({ ...rest, content: details });
};

const resultOf = ({ content, facts, found, cards, choices, typed, media }: MarketAnswer): CommandResult => ({
  content,
  facts,
  ephemeral: found === 0,
  ...(cards && { cards: { isAnswer: true, ...cards } }),
  ...(choices && { choices }),
  ...(typed !== undefined && { typed }),
  ...(media && { media }),
});

/** Asks about names, or says that there are too few or too many of them. */
export const namesResult = async (
  { length }: readonly string[],
  limits: {
    readonly least?: number;
    readonly most: number;
    readonly usage?: () => string;
    readonly tooMany: (p: { readonly limit: number }) => string;
  },
  ask: () => Promise<MarketAnswer>,
  flags?: CommandFlags,
): Promise<CommandResult> => {
  const { least = 0, most, usage, tooMany } = limits;
  if (usage && length < least) return ephemeral(usage());
  return length > most ? ephemeral(tooMany({ limit: most })) : commandResult(await ask(), flags);
};

export const rangeOption = (description: Localized): CommandOption => ({
  name: 'range',
  nameKo: '기간',
  description,
  type: 'text',
  choices: HISTORY_RANGES.map((range) => ({
    value: range,
    label: { ko: rangeLabel(range, 'ko'), en: rangeLabel(range, 'en') },
  })),
});

export const themeOption: CommandOption = {
  name: 'theme',
  nameKo: '테마',
  description: { ko: '그림의 밝은 배경 또는 어두운 배경', en: 'a light or a dark background of the picture' },
  type: 'text',
  choices: [
    { value: 'light', label: { ko: '라이트', en: 'light' } },
    { value: 'dark', label: { ko: '다크', en: 'dark' } },
  ],
};
