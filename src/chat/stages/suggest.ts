import { MAIN_AGENT } from '#src/kernel/agent-settings.ts';
import type { ChannelHost, FormSender, Suggestion } from '#src/kernel/channel.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { codeFor, type Instrument, type SymbolSearch } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { guildMessages } from '#src/kernel/messages/guild.ts';
import type { ModelInfo, Models } from '#src/kernel/ports.ts';

export interface SuggestDeps {
  readonly symbols: SymbolSearch;
  readonly models: Pick<Models, 'list'>;
  readonly isAdmin: (sender: FormSender) => boolean;
  readonly listCommands: () => readonly CommandDefinition[];
}

/** What both platforms take. */
const MAX_LABEL_CHARS = 100;
const MAX_VALUE_CHARS = 100;

/** `삼성전자 (005930, KOSPI)`: of a name that is too long the end goes, never the code. */
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

interface Named {
  readonly names: readonly string[];
  readonly suggestion: Suggestion;
}

/** What begins as typed goes before what has it inside. */
const fitting = (typed: string, all: readonly Named[], limit: number): readonly Suggestion[] => {
  const wanted = typed.normalize('NFC').trim().toLowerCase().replace(/^\//, '');
  const those = (isSuch: (name: string) => boolean): readonly Named[] =>
    all.filter(({ names }) => names.some((name) => isSuch(name.toLowerCase())));
  const found = [...those((name) => name.startsWith(wanted)), ...those((name) => name.includes(wanted))];
  return [...new Set(found)].slice(0, limit).map(({ suggestion }) => suggestion);
};

/** What may be meant by what was typed so far, for options that complete themselves. */
export const createSuggest = (deps: SuggestDeps): ChannelHost['suggest'] => {
  const { symbols, models, listCommands } = deps;

  /** What this person can take; a conversation with another agent than the main one may offer others. */
  const modelsFor = (sender: FormSender): readonly Named[] => {
    const { locale } = sender;
    const { modelList, modelDefault } = guildMessages(locale).choices;
    const usable = models
      .list({ isAdmin: deps.isAdmin(sender) }, MAIN_AGENT)
      .filter(({ isUsable }) => isUsable);
    return [
      // Nobody is led to a model that is on its way out, but who types its name finds it.
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

  /** What is for administrators alone is explained to nobody else. */
  const commandsIn = (locale: Locale): readonly Named[] =>
    listCommands()
      .filter(({ requiredRoles = [] }) => requiredRoles.length === 0)
      .map((definition) => ({
        names: [definition.name, ...definition.aliases],
        suggestion: ofCommand(definition, locale),
      }));

  /** What the names of a list are, as far as they are one thing each. */
  const namedIn = (list: string): ReadonlySet<string> =>
    new Set(
      list.split(',').flatMap((name) => {
        const match = symbols.resolve(name);
        return match.status === 'found' ? [match.instrument.symbol] : [];
      }),
    );

  /** Of a list, the last one is being typed; those before it stay as they are, and are not offered again. */
  const ofSymbols = (typed: string, locale: Locale, limit: number): readonly Suggestion[] => {
    const end = typed.lastIndexOf(',') + 1;
    const before = end === 0 ? '' : `${typed.slice(0, end)} `;
    // No code has room behind so much.
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

  return (source, typed, sender, limit) => {
    const { locale } = sender;
    switch (source) {
      case 'symbol':
        return ofSymbols(typed, locale, limit);
      case 'model':
        return fitting(typed, modelsFor(sender), limit);
      case 'command':
        return fitting(typed, commandsIn(locale), limit);
    }
    return source satisfies never;
  };
};
