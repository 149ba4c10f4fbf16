import { describe, expect, it } from 'vitest';
import { MAX_CONTENT } from '#channels/discord/render.ts';
import { MAX_MESSAGE_LENGTH } from '#channels/slack/render.ts';
import { help } from '#commands/chat/help.ts';
import { commandDefinitions } from '#commands/index.ts';
import type { CommandCategory, CommandDefinition } from '#src/kernel/command-definition.ts';
import { helpMessages } from '#commands/chat/messages.ts';
import { privacyMessages } from '#src/kernel/messages/privacy.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import { msgContext } from '#test/support/context.ts';

const definition = (
  name: string,
  category: CommandCategory,
  rest: Partial<CommandDefinition> = {},
): CommandDefinition => ({
  name,
  aliases: [],
  description: { ko: `${name} 설명`, en: `what ${name} does` },
  usage: { ko: `/${name} [무엇]`, en: `/${name} [what]` },
  category,
  ...rest,
});

const COMMANDS: readonly CommandDefinition[] = [
  definition('reset', 'general'),
  definition('price', 'finance', { aliases: ['quote', '시세'] }),
  definition('news', 'finance', { requiredRoles: [] }),
  definition('keys', 'admin', { aliases: ['열쇠'], requiredRoles: ['ops'] }),
];

const EXAMPLES = {
  ko: [['/price 삼성전자', '시세']],
  en: [
    ['/price AAPL --chart', 'a quote'],
    ['/price', 'all of them'],
  ],
} as const;

/** A few more commands, or a longer prefix. */
const ROOM_FOR_MORE = 200;

const ask = (args: readonly string[], ctx: Partial<MsgContext> = {}) =>
  help({ listCommands: () => COMMANDS }).execute(args, msgContext(ctx), new AbortController().signal);

describe('/help', () => {
  it.each(['en', 'ko'] as const)(
    'lists what the person can use, by category, markets first (%s)',
    async (locale) => {
      const { content, ephemeral } = await ask([], { locale });
      const line = (name: string, index: number): string =>
        `- \`/${name}\` — ${COMMANDS[index]?.description[locale] ?? ''}`;
      expect(content).toBe(
        [
          helpMessages(locale).title(),
          `${helpMessages(locale).categories.finance}\n${line('price', 1)}\n${line('news', 2)}`,
          `${helpMessages(locale).categories.general}\n${line('reset', 0)}`,
          helpMessages(locale).footer(),
        ].join('\n\n'),
      );
      expect(ephemeral).toBe(true);
    },
  );

  it.each(['en', 'ko'] as const)(
    'fits into one message on every platform with room to spare, for newcomers with the note on privacy (%s)',
    async (locale) => {
      const { execute } = help({ listCommands: () => commandDefinitions });
      const overview = async (isAdmin: boolean): Promise<string> =>
        (await execute([], msgContext({ locale, isAdmin }), new AbortController().signal)).content;
      const note = privacyMessages(locale).note({ days: 365 });
      const limit = Math.min(MAX_CONTENT, MAX_MESSAGE_LENGTH) - ROOM_FOR_MORE;
      expect((await overview(true)).length).toBeLessThanOrEqual(limit);
      expect(`${await overview(false)}\n\n${note}`.length).toBeLessThanOrEqual(limit);
    },
  );

  it('has a page for each category, with what to type, and turns them in place', async () => {
    const { content, choices } = await ask(['1'], { locale: 'en' });
    expect(content.split('\n')).toEqual([
      '**Markets**',
      '- `/price [what]` — what price does',
      '- `/news [what]` — what news does',
    ]);
    expect(choices).toEqual([
      { label: 'All', command: '/help', effect: 'replaces' },
      { label: 'Markets', command: '/help 1', effect: 'replaces', isCurrent: true },
      { label: 'General', command: '/help 2', effect: 'replaces' },
    ]);
    expect((await ask([])).choices).toMatchObject([{ isCurrent: true }, { label: 'Markets' }, {}]);
    expect((await ask(['3'])).content).toBe(helpMessages('en').unknown({ name: '3' }));
    expect((await ask(['3'], { isAdmin: true })).content).toContain('/keys');
  });

  it('tells what else a command can do, with the prefix that is configured', async () => {
    const price = definition('price', 'finance', { aliases: ['quote'], examples: EXAMPLES });
    const command = help({ listCommands: () => [price], commandPrefix: '!' });
    const { content } = await command.execute(['price'], msgContext(), new AbortController().signal);
    expect(content.split('\n')).toEqual([
      '`!price` — what price does',
      helpMessages('en').usage({ usage: '!price [what]' }),
      '- `!price AAPL --chart` — a quote',
      '- `!price` — all of them',
      helpMessages('en').aliases({ aliases: '`quote`' }),
    ]);
  });

  it('hides what is for administrators from all others, in the list and as a topic', async () => {
    expect((await ask([])).content).not.toContain('keys');
    expect((await ask([])).content).not.toContain(helpMessages('en').categories.admin);
    expect((await ask(['keys'])).content).toBe(helpMessages('en').unknown({ name: 'keys' }));
    expect((await ask(['열쇠'])).content).toBe(helpMessages('en').unknown({ name: '열쇠' }));
  });

  it('shows it to administrators', async () => {
    const admin = { isAdmin: true };
    expect((await ask([], admin)).content).toContain(`${helpMessages('en').categories.admin}\n- \`/keys\``);
    expect((await ask(['keys'], admin)).content).toContain('what keys does');
  });

  it('shows it to those whose role may run it, in the list and as a topic', async () => {
    const operator = { userRoles: ['traders', 'ops'] };
    expect((await ask([], operator)).content).toContain('`/keys`');
    expect((await ask(['열쇠'], operator)).content).toContain('what keys does');
    expect((await ask([], { userRoles: ['traders'] })).content).not.toContain('keys');
  });

  it.each(['en', 'ko'] as const)(
    'explains one command with its usage and other names (%s)',
    async (locale) => {
      const { content, ephemeral } = await ask(['price'], { locale });
      expect(content).toBe(
        [
          `\`/price\` — ${COMMANDS[1]?.description[locale] ?? ''}`,
          helpMessages(locale).usage({ usage: COMMANDS[1]?.usage[locale] ?? '' }),
          helpMessages(locale).aliases({ aliases: '`quote`, `시세`' }),
        ].join('\n'),
      );
      expect(ephemeral).toBe(true);
    },
  );

  it('says nothing about other names where there are none', async () => {
    expect((await ask(['reset'])).content.split('\n')).toHaveLength(2);
  });

  it.each(['/price', 'PRICE', 'quote', '/Quote', '시세'])('finds the command by %j', async (topic) => {
    expect((await ask([topic])).content).toContain('`/price` — ');
  });

  it.each(['en', 'ko'] as const)(
    'says that there is no such command, as it was typed (%s)',
    async (locale) => {
      const { content, ephemeral } = await ask(['Portfolio'], { locale });
      expect(content).toBe(helpMessages(locale).unknown({ name: 'Portfolio' }));
      expect(ephemeral).toBe(true);
    },
  );

  it.each([
    ['`rm -rf` **now**', 'rm -rf now'],
    ['__x__ ~~y~~ ||z||', 'x y z'],
    ['/портфель', '/портфель'],
    ['a'.repeat(5_000), 'a'.repeat(32)],
  ])('repeats an unknown name short and without markup: %.40j', async (topic, shown) => {
    expect((await ask([topic])).content).toBe(helpMessages('en').unknown({ name: shown }));
  });

  it('lists the commands as they are when it is asked', async () => {
    const later: CommandDefinition[] = [];
    const command = help({ listCommands: () => later });
    later.push(definition('price', 'finance'));
    const { content } = await command.execute([], msgContext(), new AbortController().signal);
    expect(content).toContain('/price');
  });

  it('shows the prefix that the operator chose, and finds a topic with or without one', async () => {
    const command = help({ listCommands: () => COMMANDS, commandPrefix: '$$' });
    const say = async (args: readonly string[]) =>
      (await command.execute(args, msgContext(), new AbortController().signal)).content;
    expect(await say([])).toContain('- `$$price` — what price does');
    for (const topic of ['price', '$$price', '/price', '$$시세']) {
      expect((await say([topic])).split('\n')).toEqual([
        '`$$price` — what price does',
        helpMessages('en').usage({ usage: '$$price [what]' }),
        helpMessages('en').aliases({ aliases: '`quote`, `시세`' }),
      ]);
    }
  });
});
