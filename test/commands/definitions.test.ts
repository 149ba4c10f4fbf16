import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { commandDefinitions } from '#commands/index.ts';
import {
  type CommandDefinition,
  type CommandOption,
  commandText,
  type Subcommand,
} from '#src/kernel/chat/command-definition.ts';
import { queueTexts } from '#commands/chat/texts.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import { profileTexts } from '#commands/account/texts.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { msgContext } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';
import { allCommands } from './all-commands.ts';

const registry = createCommandRegistry(allCommands);
const LOCALES = ['en', 'ko'] as const;

type Values = Readonly<Record<string, string | boolean>>;

/** What is filled in, and the words (and flags) that the command has to get of it. */
const FILLED: readonly (readonly [name: string, values: Values, args: string, flags?: string])[] = [
  ['price', { symbol: '005930.KS' }, '005930.KS'],
  ['price', { symbol: ' SK  hynix,\nAAPL ' }, 'SK hynix, AAPL'],
  [
    'chart',
    { symbol: '005930.KS', range: '1y', indicators: 'ma20,60 rsi', theme: 'dark' },
    '005930.KS 1y ma20,60 rsi dark',
  ],
  ['compare', { symbols: 'AAPL, SK hynix', range: '6mo' }, 'AAPL, SK hynix 6mo'],
  ['market', {}, ''],
  ['crypto', { coins: 'BTC ETH', currency: 'krw' }, 'BTC ETH krw'],
  ['fx', { amount: '100 usd', to: 'krw' }, '100 usd krw'],
  ['news', { symbol: '005930.KS', count: '10' }, '005930.KS 10'],
  ['earnings', { symbol: 'AAPL' }, 'AAPL'],
  ['hours', { market: 'krx', date: '2026-11-19' }, 'krx 2026-11-19'],
  ['search', { name: '삼성' }, '삼성'],
  ['model', { name: 'sonnet' }, 'sonnet'],
  ['usage', { whose: 'all' }, 'all'],
  ['profile timezone', { value: 'Asia/Seoul' }, 'timezone Asia/Seoul'],
  ['profile show', {}, ''],
  [
    'portfolio buy',
    {
      symbol: '005930.KS',
      quantity: '10',
      price: '71,000 원',
      date: '2026-11-13',
      portfolio: '연금',
      note: '장기 보유',
      details: '세금 500',
    },
    'buy 005930.KS 세금 500',
    'quantity price date portfolio note',
  ],
  ['portfolio summary', {}, 'summary'],
  ['portfolio dividend', { symbol: 'AAPL', amount: '12.5 USD' }, 'dividend AAPL', 'amount'],
  ['portfolio cash', { kind: 'deposit', amount: '100만원' }, 'deposit', 'amount'],
  ['portfolio other', { entry: 'bonus AAPL 3' }, 'bonus AAPL 3'],
  ['portfolio import', { file: 'ignored' }, 'import'],
  ['portfolio delete', { portfolio: '연금', yes: true }, 'delete', 'portfolio yes'],
  [
    'alert price',
    { symbol: 'AAPL', when: '>=', level: '200', repeat: true, extended: true, here: true },
    'AAPL >= 200',
    'repeat extended here',
  ],
  ['alert rsi', { symbol: 'BTC', when: 'rsi <=', level: '30' }, 'BTC rsi <= 30'],
  ['alert event', { symbol: 'TSLA', event: 'news' }, 'TSLA news'],
  ['alert delete', { alert: 'h3k4m2' }, 'delete h3k4m2'],
  ['alert snooze', { alert: 'h3k4m2', time: '1h' }, 'snooze h3k4m2 1h'],
  ['alerts', {}, ''],
  ['alerts', { where: 'here', remove: 'h3k4m2' }, 'here', 'remove'],
  ['watch add', { names: 'AAPL, TSLA' }, 'add AAPL, TSLA'],
  ['watch clear', { yes: true }, 'clear', 'yes'],
  ['briefing delete', { briefing: 'h3k4m2' }, 'delete h3k4m2'],
  [
    'briefing set',
    { time: '08:30', days: 'weekdays', names: 'AAPL', here: true },
    '08:30 weekdays AAPL',
    'here',
  ],
  ['link', { code: 'ABCD-EFGH', yes: true }, 'ABCD-EFGH', 'yes'],
  ['privacy show', {}, ''],
  ['privacy delete', {}, 'delete'],
  ['privacy export', {}, 'export'],
  ['privacy delete', { yes: true }, 'delete', 'yes'],
  ['privacy delete', { yes: false }, 'delete'],
  ['context', {}, ''],
  ['export', {}, ''],
  ['stop', {}, ''],
  ['queue', { mode: 'steer' }, 'steer'],
  ['queue', { mode: 'steer', channel: true }, 'steer', 'channel'],
  ['queue', { mode: 'default', agent: true }, 'default', 'agent'],
  ['approve', { code: 'a1b2c3' }, 'a1b2c3'],
  ['deny', { code: 'a1b2c3' }, 'a1b2c3'],
  ['help', { command: 'price' }, 'price'],
  ['reset', {}, ''],
  [
    'settings channels',
    { change: 'add', channel: '<#123456789012345678>' },
    'channels add <#123456789012345678>',
  ],
  ['settings live', { value: 'stream' }, 'live stream'],
  ['keys', { action: 'disable', target: 'key-01' }, 'disable key-01'],
  ['pair', { code: 'discord:123', revoke: true }, 'discord:123', 'revoke'],
  ['pair', { code: 'ABCD2345', deny: true }, 'ABCD2345', 'deny'],
  ['status', {}, ''],
  ['config', { name: 'gates', all: true }, 'gates', 'all'],
  ['debug', { what: 'policy', details: 'get_quote' }, 'policy get_quote'],
];

const definitionOf = (name: string) => {
  const definition = commandDefinitions.find((each) => each.name === name);
  if (!definition) throw new Error(`no command ${name}`);
  return definition;
};

/** `portfolio buy`, as it is typed when its form is filled in. */
const typedOf = (called: string, values: Values): string => {
  const [name = '', action] = called.split(' ');
  const definition = definitionOf(name);
  return commandText(
    definition,
    values,
    definition.subcommands?.find((each) => each.name === action),
  );
};

interface CommandForm {
  readonly definition: CommandDefinition;
  readonly subcommand?: Subcommand;
  readonly options: readonly CommandOption[];
}

/** Every command, or each of its subcommands. */
const FORMS: readonly CommandForm[] = commandDefinitions.flatMap((definition): readonly CommandForm[] =>
  definition.subcommands
    ? definition.subcommands.map((subcommand) => ({
        definition,
        subcommand,
        options: subcommand.options ?? [],
      }))
    : [{ definition, options: definition.options ?? [] }],
);

const formName = ({ definition, subcommand }: CommandForm): string =>
  [definition.name, subcommand?.name].join(' ').trim();

/** Sentences of somebody who did not understand. */
const isLost = (content: string, usage: string): boolean => {
  const helpUsage = commandTexts('en').usage;
  const guild = guildTexts('en');
  const profile = profileTexts('en');
  const queue = queueTexts('en');
  const [unknownField = ''] = profile.unknownField({ typed: '\0' }).split('\0');
  const [unknownMode = ''] = queue.unknown({ name: '\0', modes: '' }).split('\0');
  const [unknownSetting = ''] = guild.unknown({ typed: '\0' }).split('\0');
  const [wrong = ''] = guild.wrong({ typed: '\0', form: '' }).split('\0');
  return (
    content === helpUsage({ usage }) ||
    [unknownField, unknownMode, unknownSetting, wrong].some((start) => content.startsWith(start))
  );
};

describe('a command that is filled in', () => {
  everyRow(FILLED.map(([name, values, args, flags = '']) => ({ name, values, args, flags })))(
    '/$name with $values reads as $args',
    ({ name, values, args, flags }) => {
      const found = registry.commandIn(typedOf(name, values));
      expect(found).toMatchObject({ kind: 'known', definition: { name: name.split(' ')[0] } });
      expect(found?.parsed.args.join(' ')).toBe(args);
      expect([...(found?.parsed.flags.keys() ?? [])].join(' ')).toBe(flags);
    },
  );

  it('is read with every one of its options, whatever the command', () => {
    const lost = FORMS.flatMap(({ definition, subcommand, options }) => {
      const { name } = definition;
      const typed = options.filter(({ type }) => type !== 'file');
      const values = typed.map(
        ({ name: option, type, choices = [] }) =>
          [option, type === 'flag' ? true : (choices[0]?.value ?? 'AAPL')] as const,
      );
      const found = registry.commandIn(commandText(definition, Object.fromEntries(values), subcommand));
      const isNamed = new Set(
        typed.filter((option) => option.isNamed || option.type === 'flag').map((option) => option.name),
      );
      const read = {
        name: found?.kind === 'known' ? found.definition.name : undefined,
        args: found?.parsed.args.join(' '),
        flags: [...(found?.parsed.flags ?? [])],
      };
      const wanted = {
        name,
        args: [
          ...(subcommand ? [subcommand.typed ?? subcommand.name] : []),
          ...values.flatMap(([option, value]) => (isNamed.has(option) ? [] : [value])),
        ]
          .join(' ')
          .trim(),
        flags: values.filter(([option]) => isNamed.has(option)),
      };
      return isDeepStrictEqual(read, wanted) ? [] : [{ read, wanted }];
    });
    expect(lost).toEqual([]);
  });

  const REQUIRED: Readonly<Record<string, string>> = { symbol: 'AAPL', level: '40', amount: '100 USD' };
  const CHOICES = FORMS.flatMap(({ options, ...form }) =>
    options.flatMap(({ name: option, choices = [] }) =>
      choices.map(({ value }) => ({ ...form, options, option, value })),
    ),
  );

  it('is understood with each of its choices, and is private where it says so', async () => {
    const ctx = msgContext({ isAdmin: true, chatType: 'channel', guildId: 'g1' });
    const signal = new AbortController().signal;
    const needTarget = /^(?:disable|enable|prefer|remove)$/;
    for (const { definition, subcommand, options, option, value } of CHOICES) {
      const target = definition.name === 'keys' && needTarget.test(value) ? { target: 'key-01' } : {};
      const names = Object.fromEntries(
        options
          .filter(({ isRequired }) => isRequired)
          .map(({ name }) => [name, REQUIRED[name] ?? 'AAPL, TSLA']),
      );
      const filled = { ...names, [option]: value, ...target };
      const found = registry.commandIn(commandText(definition, filled, subcommand));
      if (!found) throw new Error(`/${definition.name} ${value} is no command`);
      const { content, ephemeral } = await registry.execute(found.parsed, ctx, signal);
      expect(
        content === '' || isLost(content, definition.usage.en),
        `/${definition.name} ${value}: ${content}`,
      ).toBe(false);
      if (definition.isPrivate) expect(ephemeral, `/${definition.name} ${value}`).toBe(true);
    }
    expect(CHOICES.length).toBeGreaterThan(30);
  });

  it('is said to be private where it shows or changes what is one person’s, or runs the bot', () => {
    const ofMarkets = 'price chart compare market crypto fx news earnings hours search'.split(' ');
    const mayBeOpen = new Set(['model', 'export', 'reset', ...ofMarkets]);
    const open = commandDefinitions.filter(({ name, isPrivate }) => !isPrivate && !mayBeOpen.has(name));
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('is open in a group where it only asks the market', () => {
    const markets = 'price chart compare market crypto fx news earnings hours search'.split(' ');
    expect(markets.filter((name) => definitionOf(name).isPrivate)).toEqual([]);
  });
});

const NAME = /^[-_'\p{L}\p{N}]{1,32}$/u;
const fits = (text: string): boolean => text.length >= 1 && text.length <= 100;
const isName = (name: string): boolean => NAME.test(name) && name === name.toLowerCase();

const problemsOf = ({
  name,
  nameKo,
  description,
  choices = [],
  ...option
}: CommandOption): readonly string[] => [
  ...(/^[a-z0-9_-]{1,32}$/.test(name) && isName(nameKo) ? [] : [`name ${name} ${nameKo}`]),
  ...LOCALES.flatMap((locale) => (fits(description[locale]) ? [] : [`${name}: ${description[locale]}`])),
  ...(choices.length > 25 || (choices.length > 0 && option.suggest) ? [`${name}: choices`] : []),
  ...(new Set(choices.map(({ value }) => value)).size === choices.length ? [] : [`${name}: twice the same`]),
  ...choices.flatMap(({ value, label }) =>
    [value, label.ko, label.en].every(fits) ? [] : [`${name}: ${value} ${label.en} ${label.ko}`],
  ),
];

describe('what platforms ask of a command', () => {
  everyRow(commandDefinitions)('holds for /$name', ({ name, aliases, description, subcommands = [] }) => {
    expect(isName(name)).toBe(true);
    const korean = aliases.find((alias) => /\p{Script=Hangul}/u.test(alias));
    expect(korean !== undefined && isName(korean)).toBe(true);
    expect(LOCALES.every((locale) => fits(description[locale]))).toBe(true);
    expect(subcommands.length).toBeLessThanOrEqual(25);
    for (const key of ['name', 'nameKo'] as const)
      expect(new Set(subcommands.map((each) => each[key])).size).toBe(subcommands.length);
  });

  everyRow(FORMS.map((form) => ({ ...form, called: formName(form) })))(
    'holds for the options of /$called',
    ({ subcommand, options }) => {
      expect(subcommand ? problemsOf({ ...subcommand, type: 'text' }) : []).toEqual([]);
      expect(options.flatMap(problemsOf)).toEqual([]);
      expect(options.length).toBeLessThanOrEqual(25);
      for (const key of ['name', 'nameKo'] as const)
        expect(new Set(options.map((option) => option[key])).size).toBe(options.length);
      const required = options.map(({ isRequired }) => isRequired === true);
      expect(required).toEqual(required.toSorted((a, b) => Number(b) - Number(a)));
    },
  );

  it('gives no two commands the same Korean name', () => {
    const names = commandDefinitions.map(({ aliases }) =>
      aliases.find((alias) => /\p{Script=Hangul}/u.test(alias)),
    );
    expect(new Set(names).size).toBe(commandDefinitions.length);
  });
});
