import type { Actor } from '#src/kernel/chat/actor.ts';
import { MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import type { ChannelHost, Suggestion } from '#src/kernel/channel/host.ts';
import type { OwnItems } from '#src/kernel/people/own-items.ts';
import type {
  CommandDefinition,
  FilledOptions,
  SuggestionSource,
} from '#src/kernel/chat/command-definition.ts';
import { codeFor, type Instrument, type SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import type { ModelInfo, Models } from '#src/kernel/agent/models.ts';
import type { Uses } from '#src/platform/services.ts';

interface SuggestDeps extends Uses<'logger.warn' | 'symbols'> {
  readonly models: Pick<Models, 'list'>;
  readonly ownItems: OwnItems;
  readonly isAdmin: (sender: Actor) => boolean;
  readonly listCommands: () => readonly CommandDefinition[];
}

/** Limits of both platforms. */
const MAX_LABEL_CHARS = 100;
const MAX_VALUE_CHARS = 100;

/** `삼성전자 (005930, KOSPI)`. A long name is truncated, the code never is. */
const withDetails = (name: string, details: string): string => {
  const letters = Array.from(name);
  const room = MAX_LABEL_CHARS - ` (${details})`.length;
  const shown = letters.length <= room ? name : `${letters.slice(0, room - 1).join('')}…`;
  return `${shown} (${details})`;
};

const ofInstrument = (instrument: Instrument, symbols: SymbolSearch, locale: Locale): Suggestion => ({
  label: withDetails(instrument.name[locale], `${instrument.ticker}, ${instrument.exchange}`),
  value: codeFor(instrument, symbols),
});

const ofModel = ({ displayName, aliases, id }: ModelInfo): Suggestion => {
  const [shortest = id] = aliases;
  return { label: withDetails(displayName, shortest), value: shortest };
};

const ofCommand = ({ name, aliases, description }: CommandDefinition, locale: Locale): Suggestion => {
  const shown = locale === 'ko' ? (aliases.find((alias) => /\p{Script=Hangul}/u.test(alias)) ?? name) : name;
  return { label: `/${shown} — ${description[locale]}`.slice(0, MAX_LABEL_CHARS), value: name };
};

/** Days as people write them. They are read in the person's time zone, which is not known here. */
const DAYS: Readonly<Record<Locale, readonly string[]>> = {
  en: ['today', 'yesterday', 'last Friday', 'last Thursday', 'last Wednesday', 'last Tuesday', 'last Monday'],
  ko: [
    '오늘',
    '어제',
    '그제',
    '지난주 금요일',
    '지난주 목요일',
    '지난주 수요일',
    '지난주 화요일',
    '지난주 월요일',
  ],
};

const ZONES = [...new Set(['Asia/Seoul', 'America/New_York', ...Intl.supportedValuesOf('timeZone')])];

const asTyped = (value: string): Named => ({
  names: [value, value.replaceAll('_', ' ')],
  suggestion: { label: value, value },
});

interface Named {
  readonly names: readonly string[];
  readonly suggestion: Suggestion;
}

/** Names that start with the typed text come before names that contain it. */
const fitting = (typed: string, all: readonly Named[], limit: number): readonly Suggestion[] => {
  const wanted = typed.normalize('NFC').trim().toLowerCase().replace(/^\//, '');
  const those = (isSuch: (name: string) => boolean): readonly Named[] =>
    all.filter(({ names }) => names.some((name) => isSuch(name.toLowerCase())));
  const found = [...those((name) => name.startsWith(wanted)), ...those((name) => name.includes(wanted))];
  return [...new Set(found)].slice(0, limit).map(({ suggestion }) => suggestion);
};

/** Autocompletion of command options. */
export const createSuggest = (deps: SuggestDeps): ChannelHost['suggest'] => {
  const { symbols, models, listCommands } = deps;

  /** Models that this person can choose with the main agent; other agents may allow others. */
  const modelsFor = (sender: Actor): readonly Named[] => {
    const { locale } = sender;
    const { modelList, modelDefault } = guildTexts(locale).choices;
    const usable = models
      .list({ isAdmin: deps.isAdmin(sender) }, MAIN_AGENT)
      .filter(({ isUsable }) => isUsable);
    return [
      // Deprecated models come last, but can be found by name.
      ...usable
        .toSorted((a, b) => Number(a.isDeprecated) - Number(b.isDeprecated))
        .map((model) => ({
          names: [model.id, model.displayName, ...model.aliases],
          suggestion: ofModel(model),
        })),
      { names: ['list', '목록'], suggestion: { label: modelList, value: 'list' } },
      { names: ['default', '기본'], suggestion: { label: modelDefault, value: 'default' } },
    ];
  };

  /** Commands for administrators are not suggested. */
  const commandsIn = (locale: Locale): readonly Named[] =>
    listCommands()
      .filter(({ requiredRoles = [] }) => requiredRoles.length === 0)
      .map((definition) => ({
        names: [definition.name, ...definition.aliases],
        suggestion: ofCommand(definition, locale),
      }));

  /** Symbols of the unambiguous names in a list. */
  const namedIn = (list: string): ReadonlySet<string> =>
    new Set(
      list.split(',').flatMap((name) => {
        const match = symbols.resolve(name);
        return match.status === 'found' ? [match.instrument.symbol] : [];
      }),
    );

  /** Completes the last name of a comma-separated list; the names before it are not suggested again. */
  const ofSymbols = (typed: string, locale: Locale, limit: number): readonly Suggestion[] => {
    const end = typed.lastIndexOf(',') + 1;
    const before = end === 0 ? '' : `${typed.slice(0, end)} `;
    // No room is left for another code.
    if (before.length >= MAX_VALUE_CHARS) return [];
    const named = end === 0 ? new Set<string>() : namedIn(before);
    return symbols
      .suggest(typed.slice(end), limit + named.size)
      .filter(({ symbol }) => !named.has(symbol))
      .slice(0, limit)
      .map((instrument) => ofInstrument(instrument, symbols, locale))
      .map(({ label, value }) => ({
        label: Array.from(before + label)
          .slice(0, MAX_LABEL_CHARS)
          .join(''),
        value: before + value,
      }))
      .filter(({ value }) => value.length <= MAX_VALUE_CHARS);
  };

  const ofOwn = async (
    source: keyof OwnItems,
    { channelId, senderId, locale }: Actor,
    filled: FilledOptions,
  ) => {
    const items = await deps.ownItems[source]({ channelId, userId: senderId }, locale, filled);
    return items.map(({ label, value }) => ({
      names: [value, label],
      suggestion: { label: Array.from(label).slice(0, MAX_LABEL_CHARS).join(''), value },
    }));
  };

  const find = async (
    source: SuggestionSource,
    typed: string,
    sender: Actor,
    limit: number,
    filled: FilledOptions,
  ): Promise<readonly Suggestion[]> => {
    const { locale } = sender;
    switch (source) {
      case 'symbol':
        return ofSymbols(typed, locale, limit);
      case 'model':
        return fitting(typed, modelsFor(sender), limit);
      case 'command':
        return fitting(typed, commandsIn(locale), limit);
      case 'date':
        return fitting(typed, DAYS[locale].map(asTyped), limit);
      case 'zone':
        return fitting(typed, ZONES.map(asTyped), limit);
      case 'portfolio':
      case 'entry':
      case 'alert':
      case 'briefing':
      case 'watched':
        return fitting(typed, await ofOwn(source, sender, filled), limit);
    }
    return source satisfies never;
  };

  return async (source, typed, sender, limit, filled = {}) => {
    try {
      return await find(source, typed, sender, limit, filled);
    } catch (error) {
      deps.logger.warn('An option could not be completed', { source, error });
      return [];
    }
  };
};
