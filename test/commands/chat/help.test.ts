import { describe, expect, it } from 'vitest';
import { discordHint } from '#channels/discord/send/markup.ts';
import { MAX_CONTENT } from '#channels/discord/send/render.ts';
import { MAX_MESSAGE_LENGTH } from '#channels/slack/send/render.ts';
import { help } from '#commands/chat/help.ts';
import { commandDefinitions } from '#commands/index.ts';
import type { CommandCategory, CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { writeHints } from '#src/platform/text/command-hints.ts';
import { helpTexts } from '#commands/chat/texts.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
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

const ask = (args: readonly string[], ctx: Partial<TurnContext> = {}) =>
  help({ listCommands: () => COMMANDS }).execute(args, msgContext(ctx), new AbortController().signal);

describe('/help', () => {
  it.each(['en', 'ko'] as const)(
    'lists what the person can use, by category, markets first (%s)',
    async (locale) => {
      const { content, ephemeral } = await ask(['all'], { locale });
      const line = (name: string, index: number): string =>
        `- \`/${name}\` — ${COMMANDS[index]?.description[locale] ?? ''}`;
      expect(content).toBe(
        [
          helpTexts(locale).title(),
          `**${helpTexts(locale).categories.finance}**\n${line('price', 1)}\n${line('news', 2)}`,
          `**${helpTexts(locale).categories.general}**\n${line('reset', 0)}`,
          helpTexts(locale).footer(),
        ].join('\n\n'),
      );
      expect(ephemeral).toBe(true);
    },
  );

  it.each(['en', 'ko'] as const)(
    'fits each page into one message, with the clickable commands of Discord and a note for newcomers (%s)',
    async (locale) => {
      const { execute } = help({ listCommands: () => commandDefinitions });
      const ids = new Map(commandDefinitions.map(({ name }) => [name, '1234567890123456789']));
      const limit = Math.min(MAX_CONTENT, MAX_MESSAGE_LENGTH);
      const note = privacyTexts(locale).note({ days: 365 });
      for (const page of ['1', '2', '3', '4']) {
        const ctx = msgContext({ locale, isAdmin: true });
        const { content } = await execute([page], ctx, new AbortController().signal);
        const text = writeHints(content, commandDefinitions, discordHint(ids), locale);
        expect(`${text}\n\n${note}`.length, page).toBeLessThanOrEqual(limit);
      }
    },
  );

  it('shows one category at a time, and turns to others in place', async () => {
    const { content, choices } = await ask(['1'], { locale: 'en' });
    expect(content.split('\n\n')[1]).toBe(
      '**Markets**\n- `/price` — what price does\n- `/news` — what news does',
    );
    expect(choices).toEqual([
      { label: 'Markets', command: '/help 1', effect: 'replaces', isCurrent: true },
      { label: 'General', command: '/help 2', effect: 'replaces' },
    ]);
    expect((await ask([])).content).toBe(content);
    expect((await ask(['all'])).choices?.some(({ isCurrent }) => isCurrent)).toBe(false);
    expect((await ask(['3'])).content).toBe(helpTexts('en').unknown({ name: '3' }));
    expect((await ask(['3'], { isAdmin: true })).content).toContain('/keys');
  });

  it('tells what else a command can do, with the prefix that is configured', async () => {
    const price = definition('price', 'finance', { aliases: ['quote'], examples: EXAMPLES });
    const command = help({ listCommands: () => [price], commandPrefix: '!' });
    const { content } = await command.execute(['price'], msgContext(), new AbortController().signal);
    expect(content.split('\n')).toEqual([
      '`!price` — what price does',
      commandTexts('en').usage({ usage: '!price [what]' }),
      '- `!price AAPL --chart` — a quote',
      '- `!price` — all of them',
      helpTexts('en').aliases({ aliases: '`quote`' }),
    ]);
  });

  it('hides what is for administrators from all others, in the list and as a topic', async () => {
    expect((await ask(['all'])).content).not.toContain('keys');
    expect((await ask(['all'])).content).not.toContain(helpTexts('en').categories.admin);
    expect((await ask(['keys'])).content).toBe(helpTexts('en').unknown({ name: 'keys' }));
    expect((await ask(['열쇠'])).content).toBe(helpTexts('en').unknown({ name: '열쇠' }));
  });

  it('shows it to administrators', async () => {
    const admin = { isAdmin: true };
    expect((await ask(['all'], admin)).content).toContain(
      `**${helpTexts('en').categories.admin}**\n- \`/keys\``,
    );
    expect((await ask(['keys'], admin)).content).toContain('what keys does');
  });

  it('shows it to those whose role may run it, in the list and as a topic', async () => {
    const operator = { userRoles: ['traders', 'ops'] };
    expect((await ask(['all'], operator)).content).toContain('`/keys`');
    expect((await ask(['열쇠'], operator)).content).toContain('what keys does');
    expect((await ask(['all'], { userRoles: ['traders'] })).content).not.toContain('keys');
  });

  it.each(['en', 'ko'] as const)(
    'explains one command with its usage and other names (%s)',
    async (locale) => {
      const { content, ephemeral } = await ask(['price'], { locale });
      expect(content).toBe(
        [
          `\`/price\` — ${COMMANDS[1]?.description[locale] ?? ''}`,
          commandTexts(locale).usage({ usage: COMMANDS[1]?.usage[locale] ?? '' }),
          helpTexts(locale).aliases({ aliases: '`quote`, `시세`' }),
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
      expect(content).toBe(helpTexts(locale).unknown({ name: 'Portfolio' }));
      expect(ephemeral).toBe(true);
    },
  );

  it.each([
    ['`rm -rf` **now**', 'rm -rf now'],
    ['__x__ ~~y~~ ||z||', 'x y z'],
    ['/портфель', '/портфель'],
    ['a'.repeat(5_000), 'a'.repeat(32)],
  ])('repeats an unknown name short and without markup: %.40j', async (topic, shown) => {
    expect((await ask([topic])).content).toBe(helpTexts('en').unknown({ name: shown }));
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
        commandTexts('en').usage({ usage: '$$price [what]' }),
        helpTexts('en').aliases({ aliases: '`quote`, `시세`' }),
      ]);
    }
  });
});
