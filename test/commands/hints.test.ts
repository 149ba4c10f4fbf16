import { allMessages } from '#test/support/all-messages.ts';
import { describe, expect, it } from 'vitest';
import { discordHint } from '#channels/discord/send/markup.ts';
import { slackHint } from '#channels/slack/send/markup.ts';
import { commandDefinitions } from '#commands/index.ts';
import { askedBy } from '#test/features/portfolio/asked-service.ts';
import { readHint, writeHints } from '#src/platform/text/command-hints.ts';
import { commandText } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { everyRow } from '#test/support/every-row.ts';

const IDS = new Map(commandDefinitions.map(({ name }, index) => [name, `${1_000 + index}`]));
const ON_DISCORD = discordHint(IDS);
const LOCALES = ['en', 'ko'] as const;

const PARAMETERS = new Proxy<Record<string, string>>({}, { get: (_target, name) => `«${String(name)}»` });

/** For sentences about several things. */
const LISTS = new Proxy<Record<string, readonly string[]>>(
  {},
  { get: (_target, name) => [`«${String(name)}»`] },
);

const said = (sentence: (parameters: unknown) => string): string => {
  try {
    return sentence(PARAMETERS);
  } catch {
    return sentence(LISTS);
  }
};

const leaves = (value: unknown, path: string): readonly (readonly [string, string])[] => {
  if (typeof value === 'function') return [[path, said(value as (parameters: unknown) => string)]];
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, item]) => leaves(item, `${path}.${key}`));
};

/** Said in a terminal alone. */
const IN_TERMINAL = /^(?:en|ko)\.(?:console|keyEntry)/u;

/** Everything that the bot says or shows in help, in both languages. */
const SENTENCES: readonly (readonly [path: string, text: string, locale: Locale])[] = LOCALES.flatMap(
  (locale) =>
    [
      ...leaves(allMessages(locale), locale),
      ...commandDefinitions.flatMap(({ name, usage, examples }) => [
        [`/${name}`, `\`${usage[locale]}\``] as const,
        ...(examples?.[locale] ?? []).map(([typed, does]) => [`/${name}`, `\`${typed}\` ${does}`] as const),
      ]),
    ]
      .filter(([path]) => !IN_TERMINAL.test(path))
      .map(([path, text]) => [path, text, locale] as const),
);

const spansOf = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\n]+)`/gu)].map(([, span = '']) => span);
const commandsIn = (text: string): readonly string[] =>
  spansOf(text).filter((span) => /^\/\p{L}/u.test(span));
/** `--dm`; two hyphens of a range or a rule are none. */
const TERMINAL_FLAG = /(?<![\p{L}\p{N}-])--\p{L}/u;

/** What `/portfolio` makes of it. */
const entered = (line: string): Promise<unknown> => askedBy(line.replace(' --yes', ''));

describe('what the bot suggests to do next', () => {
  it('on Discord is a command that can be clicked with its options, and never the syntax of a terminal', () => {
    const sentences = SENTENCES.filter(([path]) => !/^\w\w\.slack\./u.test(path));
    const wrong = sentences.flatMap(([path, text, locale]) => {
      const shown = writeHints(text, commandDefinitions, ON_DISCORD, locale);
      return TERMINAL_FLAG.test(shown) || commandsIn(shown).length > 0 ? [`${path}: ${shown}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('on Slack has names that exist there, and never the syntax of a terminal', () => {
    const wrong = SENTENCES.flatMap(([path, text, locale]) => {
      const shown = writeHints(text, commandDefinitions, slackHint, locale);
      const areKnown = commandsIn(shown).every((span) => span.startsWith('/finclaw '));
      return TERMINAL_FLAG.test(shown) || !areKnown ? [`${path}: ${shown}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('names nothing to press but in what only platforms with buttons are sent', () => {
    const WITH_BUTTONS = /^\w\w\.(?:channel\.(?:choiceGone|notYourButton)|discord\.|offline\.onlyMe)/u;
    const pressed = SENTENCES.filter(
      ([path, text]) => !WITH_BUTTONS.test(path) && /\bbuttons?\b|\bpress\b|버튼|누르|눌러/iu.test(text),
    );
    expect(pressed).toEqual([]);
  });

  everyRow([
    ['/alert delete ID', '</alert delete:1> `alert: ID`', '`/finclaw alert delete ID`'],
    [
      '/alert AAPL > 200 here',
      '</alert price:1> `symbol: AAPL` `when: rises to` `level: 200` `here: True`',
      '`/finclaw alert AAPL > 200 here`',
    ],
    ['/alert delete all --yes', '</alert delete:1> `alert: all`', '`/finclaw alert delete all`'],
    [
      '/alerts here remove ID',
      '</alerts:1> `where: set in this channel` `remove: ID`',
      '`/finclaw alerts here remove ID`',
    ],
    ['/search hynix', '</search:1> `name: hynix`', '`/finclaw search hynix`'],
    ['/help price', '</help:1> `command: price`', '`/finclaw help price`'],
    [
      '/settings channels all',
      '</settings channels:1> `change: everywhere`',
      '`/finclaw settings channels all`',
    ],
    [
      '/chart AAPL, MSFT 6mo',
      '</chart:1> `symbol: AAPL, MSFT` `range: 6 months`',
      '`/finclaw chart AAPL, MSFT 6mo`',
    ],
    ['/fx 100 usd krw', '</fx:1> `amount: 100 usd` `to: krw`', '`/finclaw fx 100 usd krw`'],
    [
      '/briefing 08:30 weekdays',
      '</briefing set:1> `time: 08:30` `days: weekdays`',
      '`/finclaw briefing 08:30 weekdays`',
    ],
    [
      '/portfolio 매수 삼성전자 10주 71,000원',
      '</portfolio buy:1> `symbol: 삼성전자` `quantity: 10주` `price: 71,000원`',
      '`/finclaw portfolio 매수 삼성전자 10주 71,000원`',
    ],
    [
      '/portfolio export --in=pension',
      '</portfolio export:1> `portfolio: pension`',
      '`/finclaw portfolio export portfolio:pension`',
    ],
    ['/nothing of ours', '`/nothing of ours`', '`/nothing of ours`'],
  ])('%s', (typed, discord, slack) => {
    const ids = new Map(commandDefinitions.map(({ name }) => [name, '1']));
    expect(writeHints(`\`${typed}\``, commandDefinitions, discordHint(ids), 'en')).toBe(discord);
    expect(writeHints(`\`${typed}\``, commandDefinitions, slackHint, 'en')).toBe(slack);
  });

  it('in Korean has the names that Discord shows there, and is no clickable command while its id is not known', () => {
    const write = discordHint(new Map());
    expect(writeHints('`/portfolio 취소 3`', commandDefinitions, write, 'ko')).toBe(
      '`/portfolio undo` `번호: 3`',
    );
  });

  it('leaves code blocks alone', () => {
    const text = '```\n`/search x`\n```\n`/search x`';
    expect(writeHints(text, commandDefinitions, slackHint, 'en')).toBe(
      '```\n`/search x`\n```\n`/finclaw search x`',
    );
  });

  it('filled in as Discord is told to is the very command that was meant', async () => {
    const hints = SENTENCES.flatMap(([, text]) => commandsIn(text)).flatMap((typed) => {
      const hint = readHint(typed, commandDefinitions);
      return hint && hint.values.every(({ value }) => value !== undefined) ? [[typed, hint] as const] : [];
    });
    expect(hints.length).toBeGreaterThan(200);
    for (const [typed, hint] of hints) {
      const values = Object.fromEntries(hint.values.map(({ option, value }) => [option.name, value]));
      const filled = commandText(hint.definition, values, hint.subcommand);
      const isPlaceholder = /«|NAME|NUMBER|AMOUNT|이름|번호|수량|금액|CODE/u.test(typed);
      if (hint.definition.name !== 'portfolio')
        expect(readHint(filled, commandDefinitions)?.values, typed).toEqual(hint.values);
      else if (!isPlaceholder) expect(await entered(filled), typed).toEqual(await entered(typed));
    }
  });

  it('keeps what stands in quotation marks together', async () => {
    const typed =
      '/portfolio add AAPL --quantity="10 shares" --date="on Nov 13, 2026" --total="$1905 in total" --in="my pension"';
    const { definition, subcommand, values = [] } = readHint(typed, commandDefinitions) ?? {};
    const filled = Object.fromEntries(values.map(({ option, value }) => [option.name, value]));
    expect(filled).toMatchObject({ quantity: '10 shares', date: 'on Nov 13, 2026', portfolio: 'my pension' });
    expect(definition && (await entered(commandText(definition, filled, subcommand)))).toEqual(
      await entered(typed),
    );
  });
});
