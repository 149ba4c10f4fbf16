import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutboundMessage } from '#src/kernel/chat/message.ts';
import { createLeapingClock } from '#test/support/leaping-clock.ts';
import { consoleKit } from '#test/support/platforms/console.ts';
import { openDiscord } from '#test/support/platforms/discord.ts';
import type { Person, Place, Platform, SentFile } from '#test/support/platforms/driver.ts';
import { openSlack } from '#test/support/platforms/slack.ts';
import { type Bot, eventually, spokenIn, startBot } from '#test/support/platforms/talk.ts';
import { answer } from '#test/support/engine-app.ts';
import { calls } from '#test/support/broker.ts';

/** The ways in which people ask for the same. */
const WAYS = ['slash', 'typed', 'words', 'claude'] as const;
type Way = (typeof WAYS)[number];
type Channel = 'discord' | 'slack' | 'console';

interface Intent {
  readonly name: string;
  /** As a slash command, with its options in the order in which they are typed. */
  readonly command: string;
  readonly values?: Readonly<Record<string, string>>;
  /** As people say it, to the offline model and to Claude. */
  readonly words: string;
  /** What Claude calls. Absent: no tool does this. */
  readonly tool?: { readonly name: string; readonly input: object };
  /** Typed first, so that there is something to do it with. `{id}` becomes the id on the button below the answer to it. */
  readonly first?: readonly string[];
  readonly file?: SentFile;
  /** The tool asks for approval, which a command does not need. */
  readonly isAskedFirst?: true;
  /** What the person is told that was changed, however they asked. */
  readonly receipt?: RegExp;
}

const BUY = '/portfolio buy AAPL 10 190.5 2026-11-12 --yes';
const CSV: SentFile = {
  name: 'broker.csv',
  mimeType: 'text/csv',
  bytes: 'date,kind,symbol,quantity,price,fee\n2026-11-12,buy,NVDA,3,190,1',
};
const trade = (kind: string, quantity: string, price: string) => ({
  name: 'record_transaction',
  input: { kind, symbol: 'AAPL', quantity, price, date: '2026-11-12' },
});

const INTENTS: readonly Intent[] = [
  {
    name: 'price',
    command: 'price',
    values: { symbol: 'AAPL' },
    words: 'AAPL price',
    tool: { name: 'get_quote', input: { symbols: ['AAPL'] } },
  },
  {
    name: 'an unclear name',
    command: 'price',
    values: { symbol: 'Samsung' },
    words: 'Samsung price',
    tool: { name: 'get_quote', input: { symbols: ['Samsung'] } },
  },
  {
    name: 'chart',
    command: 'chart',
    values: { symbol: 'AAPL', range: '1y' },
    words: '1-year chart of AAPL',
    tool: { name: 'make_chart', input: { symbols: ['AAPL'], range: '1y' } },
  },
  {
    name: 'compare',
    command: 'compare',
    values: { symbols: 'AAPL, MSFT' },
    words: 'compare AAPL and MSFT',
    tool: { name: 'compare', input: { symbols: ['AAPL', 'MSFT'] } },
  },
  {
    name: 'news',
    command: 'news',
    values: { symbol: 'NVDA' },
    words: 'NVDA news',
    tool: { name: 'get_news', input: { symbol: 'NVDA' } },
  },
  {
    name: 'hours',
    command: 'hours',
    values: { market: 'us' },
    words: 'is the US market open?',
    tool: { name: 'get_market_hours', input: { market: 'us' } },
  },
  {
    name: 'convert',
    command: 'fx',
    values: { amount: '100 usd', to: 'krw' },
    words: '100 dollars in won',
    tool: { name: 'convert_currency', input: { amount: 100, from: 'USD', to: 'KRW' } },
  },
  {
    name: 'buy',
    command: 'portfolio',
    values: { entry: 'buy AAPL 10 190.5 2026-11-12 --yes' },
    words: 'I bought 10 AAPL at 190.5 on November 12',
    tool: trade('buy', '10', '190.5'),
    isAskedFirst: true,
    receipt: /Recorded #1 in \*{0,2}main\*{0,2}[^]*Bought 10 Apple/u,
  },
  {
    name: 'sell',
    command: 'portfolio',
    values: { entry: 'sell AAPL 4 191 2026-11-12 --yes' },
    words: 'I sold 4 AAPL at 191 on November 12',
    first: [BUY],
    tool: trade('sell', '4', '191'),
    isAskedFirst: true,
    receipt: /Recorded #2 in \*{0,2}main\*{0,2}[^]*Sold 4 Apple/u,
  },
  {
    name: 'undo',
    command: 'portfolio',
    values: { entry: 'undo 1 --yes' },
    words: 'undo entry 1',
    first: [BUY],
    tool: { name: 'undo_transaction', input: { number: 1 } },
    isAskedFirst: true,
    receipt: /Undone: #1 in \*{0,2}main/u,
  },
  {
    name: 'portfolio',
    command: 'portfolio',
    values: { entry: 'summary' },
    words: 'show my portfolio',
    first: [BUY],
    tool: { name: 'get_portfolio', input: {} },
  },
  {
    name: 'analysis',
    command: 'portfolio',
    values: { entry: 'analysis' },
    words: 'analyse my portfolio',
    first: [BUY],
    tool: { name: 'analyze_portfolio', input: {} },
  },
  {
    name: 'import',
    command: 'portfolio',
    values: { entry: 'import' },
    words: 'import this file into my portfolio',
    file: CSV,
  },
  {
    name: 'alert set',
    command: 'alert',
    values: { entry: 'AAPL > 900 --yes' },
    words: 'tell me when AAPL rises above 900',
    tool: { name: 'set_alert', input: { symbol: 'AAPL', condition: 'above', value: '900', isSure: true } },
    receipt: /Alert set[^]*Apple[^]*900/u,
  },
  {
    name: 'alert deleted',
    command: 'alert',
    values: { entry: 'delete {id} --yes' },
    words: 'delete my AAPL alert',
    first: ['/alert AAPL > 900 --yes'],
    tool: { name: 'remove_alert', input: { which: '{id}' } },
    receipt: /Deleted: [^]*Apple/u,
  },
  {
    name: 'watch',
    command: 'watch',
    values: { entry: 'add NVDA' },
    words: 'add NVDA to my watchlist',
    tool: { name: 'manage_watchlist', input: { action: 'add', names: ['NVDA'] } },
    receipt: /Added NVIDIA/u,
  },
  {
    name: 'briefing',
    command: 'briefing',
    values: { entry: '08:30 weekdays' },
    words: 'send me a briefing at 08:30 on weekdays',
    tool: { name: 'set_briefing', input: { action: 'set', time: '08:30', days: 'weekdays' } },
    receipt: /Briefing set: [^]*08:30/u,
  },
];

/** What a person sees of an answer beside its words. */
interface Sight {
  readonly cards: readonly string[];
  readonly files: readonly string[];
  /** Label and command. */
  readonly controls: readonly string[];
  readonly isToldOfChange: boolean;
}

/** Where a way shows something else, and why that is right. */
interface Difference {
  readonly intent: string;
  readonly ways: readonly Way[];
  readonly channels?: readonly Channel[];
  readonly sees: Partial<Sight>;
  readonly why: string;
}

const DIFFERENCES: readonly Difference[] = [
  {
    intent: 'alert set',
    ways: ['words', 'claude'],
    sees: { controls: ['Delete AAPL: at $900.00 or above: /alert delete {id}'] },
    why: 'a receipt may stand among others, so its button says which alert it deletes',
  },
];

const ID = /(?<=\/(?:alert|briefing) delete |confirm |Delete )[a-z0-9]{6}(?= |$)/giu;

const sightOf = (messages: readonly OutboundMessage[], receipt: RegExp | undefined): Sight => {
  const text = messages.map(({ payload }) => payload.text).join('\n');
  const choices = messages.flatMap(({ payload }) => payload.choices ?? []);
  return {
    cards: messages.flatMap(({ payload }) => (payload.cards ?? []).map(({ title }) => title)),
    files: messages.flatMap(({ payload }) => (payload.media ?? []).map(({ name }) => name)),
    // Where its numbers come from is told of a model's answer alone.
    controls: choices
      .filter(({ command }) => !command.startsWith('/why '))
      .map(({ label, command }) => `${label}: ${command}`.replaceAll(ID, '{id}')),
    isToldOfChange: receipt?.test(text) ?? false,
  };
};

/** A platform whose messages are kept as the program hands them over. */
interface Stage {
  readonly channel: Channel;
  readonly platform: Platform;
  readonly sent: OutboundMessage[];
}

const recorded = (channel: Channel, platform: Platform): Stage => {
  const sent: OutboundMessage[] = [];
  const openChannel: Platform['openChannel'] = async (deps) => {
    const opened = await platform.openChannel(deps);
    return {
      ...opened,
      send: (message, signal) => {
        sent.push(message);
        return opened.send(message, signal);
      },
    };
  };
  return { channel, sent, platform: { ...platform, openChannel } };
};

/** Slack takes a message a second in a chat. */
const HASTE = 10;
/** A turn has its limit by the same clock. */
const PATIENT = { pipeline: { privacyNote: false, timeoutSeconds: 3_600 } };

describe('the same wish', () => {
  const clock = createLeapingClock(HASTE);
  const closing: (() => Promise<void>)[] = [];
  let offline: Stages;
  let claude: Stages;

  interface Stages {
    readonly bot: Bot;
    readonly stages: readonly Stage[];
  }
  const open = async (env: NodeJS.ProcessEnv): Promise<Stages> => {
    const stages = [
      recorded('discord', await openDiscord({ now: () => clock.outside.now().epochMilliseconds })),
      recorded('slack', await openSlack({ clock: clock.outside })),
      recorded('console', await consoleKit.open()),
    ];
    const platforms = stages.map(({ platform }) => platform);
    closing.push(...platforms.map(({ close }) => close));
    const bot = await startBot(platforms, { clock, env, config: PATIENT });
    closing.push(bot.close);
    await eventually(() => platforms.every(({ isSetUp }) => isSetUp()));
    return { bot, stages };
  };
  beforeAll(async () => {
    [offline, claude] = await Promise.all([open({ ANTHROPIC_API_KEY: '', FINCLAW_MODEL: '' }), open({})]);
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  let people = 0;
  /** What is seen in answer to something that is done. */
  const done = async (
    { bot }: Stages,
    { sent }: Stage,
    act: () => unknown,
  ): Promise<readonly OutboundMessage[]> => {
    const before = { sent: sent.length, complete: bot.count('pipeline:complete') };
    act();
    await eventually(
      () => sent.length > before.sent && bot.count('pipeline:complete') > before.complete,
      () => sent.slice(-2),
    );
    let seen = -1;
    await eventually(() => {
      const [last, now] = [seen, sent.length + bot.count('inbox:accept')];
      seen = now;
      return last === now && bot.count('delivery:sent') >= 0;
    });
    return sent.slice(before.sent);
  };

  const sight = async (on: Stages, stage: Stage, intent: Intent, way: Way): Promise<Sight> => {
    const { platform, channel } = stage;
    people += 1;
    const person: Person = platform.addPerson(`ann${people}`, { locale: 'en' });
    const place: Place = platform.direct(person);
    const say = (words: string, files: readonly SentFile[] = []) =>
      done(on, stage, () => platform.say(person, place, words, { files }));
    // In a terminal there is one person only.
    if (channel === 'console')
      for (const line of [
        '/portfolio delete main --yes',
        '/alert delete all --yes',
        '/briefing delete all --yes',
        '/watch clear --yes',
        '/reset',
      ])
        await say(line);
    let id = '';
    for (const line of intent.first ?? []) {
      const told = await say(line);
      const commands = told.flatMap(({ payload }) => payload.choices ?? []).map(({ command }) => command);
      id = /^\/alert delete (\w{6})$/mu.exec(commands.join('\n'))?.[1] ?? id;
    }
    const withId = (text: string): string => text.replace('{id}', id);
    const files = intent.file ? [intent.file] : [];
    const values = Object.fromEntries(
      Object.entries(intent.values ?? {}).map(([name, value]) => [name, withId(value)]),
    );
    const { tool } = intent;
    if (way === 'claude' && tool) {
      const input = JSON.parse(withId(JSON.stringify(tool.input))) as object;
      on.bot.claude.otherwise((body) =>
        spokenIn(body) === '' ? answer('Here you are.') : calls({ ...tool, input }),
      );
    }
    const act = (): unknown => {
      if (way === 'slash' && files.length === 0) return platform.call(person, place, intent.command, values);
      const line = [`/${intent.command}`, ...Object.values(values)].join(' ');
      const words = way === 'typed' || way === 'slash' ? line : intent.words;
      return platform.say(person, place, words, { files });
    };
    const ask = (): Promise<readonly OutboundMessage[]> => done(on, stage, act);
    const questions = (): number =>
      platform.seenBy(person, place).filter(({ text }) => text.includes('Shall I do this?')).length;
    const asked = questions();
    if (!intent.isAskedFirst || way === 'slash' || way === 'typed')
      return sightOf(await ask(), intent.receipt);
    void act();
    await eventually(() => questions() > asked);
    const seen = await say('yes');
    return sightOf(seen, intent.receipt);
  };

  it.each(INTENTS)(
    'shows the same however it is uttered: $name',
    async (intent) => {
      const ways = WAYS.filter((way) => intent.tool || way === 'slash' || way === 'typed');
      for (const index of [0, 1, 2]) {
        const seen: Partial<Record<Way, Sight>> = {};
        for (const way of ways) {
          const on = way === 'claude' ? claude : offline;
          const stage = on.stages[index];
          if (stage) seen[way] = await sight(on, stage, intent, way);
        }
        const channel = claude.stages[index]?.channel ?? 'console';
        const expected = Object.fromEntries(
          ways.map((way) => {
            const differs = DIFFERENCES.find(
              (each) =>
                each.intent === intent.name &&
                each.ways.includes(way) &&
                (each.channels?.includes(channel) ?? true),
            );
            return [way, { ...seen.typed, ...differs?.sees }];
          }),
        );
        expect.soft(seen, channel).toEqual(expected);
        expect.soft(seen.typed?.isToldOfChange, channel).toBe(intent.receipt !== undefined);
      }
    },
    120_000,
  );

  it('and the bot kept the manners of the platforms all the while', () => {
    for (const { platform } of [...offline.stages, ...claude.stages]) expect(platform.offences()).toEqual([]);
  });
});
