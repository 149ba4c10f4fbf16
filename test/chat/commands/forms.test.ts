import type { Actor } from '#src/kernel/chat/actor.ts';
import { describe, expect, it } from 'vitest';

import { type Command, completedBy, formToComplete } from '#src/kernel/chat/command.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { createForms } from '#src/chat/commands/forms.ts';
import { recordingLogger } from '#test/support/context.ts';
import { actor } from '#test/support/messages.ts';

const named = (name: string, aliases: readonly string[] = []): Command => ({
  definition: {
    name,
    aliases,
    description: { ko: '설명', en: 'description' },
    usage: { ko: `/${name}`, en: `/${name}` },
    category: 'admin',
  },
  execute: async () => ({ content: name, ephemeral: true }),
});

const sender = (id: string, locale: Actor['locale'] = 'en'): Actor =>
  actor(id, { senderRoles: ['admin'], locale });

const setUp = () => {
  const submitted: unknown[] = [];
  const vault: Command = {
    ...named('vault', ['금고']),
    form: {
      open: ([what = ''], locale) =>
        what === 'add'
          ? { id: 'add:one', title: `Vault ${locale}`, submitLabel: 'Add', fields: [] }
          : undefined,
      submit: async (...given) => {
        submitted.push(given);
        if (given[1]['secret'] === 'boom') throw new Error('broken vault');
        return 'kept';
      },
    },
  };
  const { logger, records } = recordingLogger();
  const registry = createCommandRegistry([vault, named('plain')]);
  const forms = createForms({ registry, isAdmin: ({ senderId }) => senderId === 'boss', logger });
  return { forms, submitted, records };
};

describe('the forms of commands', () => {
  it('open for an administrator, by any name of the command, and find the way back', async () => {
    const { forms, submitted } = setUp();
    const form = forms.open('/금고 add', sender('boss', 'ko'));
    expect(form).toMatchObject({ id: 'vault:add:one', title: 'Vault ko' });
    expect(await forms.submit(form?.id ?? '', { secret: 's' }, sender('boss', 'ko'))).toBe('kept');
    expect(submitted).toEqual([['add:one', { secret: 's' }, 'ko']]);
  });

  it.each([
    ['somebody else', '/vault add', 'mina'],
    ['arguments that need none', '/vault list', 'boss'],
    ['a command without forms', '/plain add', 'boss'],
    ['a typing mistake', '/vaul add', 'boss'],
    ['ordinary text', 'vault add', 'boss'],
  ])('do not open for %s: it is an ordinary message', (_what, text, who) => {
    expect(setUp().forms.open(text, sender(who))).toBeUndefined();
  });

  it('open for anybody where what is filled in is said by them', () => {
    const registry = createCommandRegistry([
      {
        ...named('ring'),
        form: {
          open: ([name = '']) =>
            formToComplete(`/ring ${name}`, { title: 'Ring', submitLabel: 'Set', label: 'When' }),
        },
      },
    ]);
    const forms = createForms({ registry, isAdmin: () => false, logger: recordingLogger().logger });
    const { id = '' } = forms.open('/ring AAPL …', sender('mina')) ?? {};
    expect(completedBy(id, { rest: '350' })).toBe('/ring AAPL 350');
    expect(completedBy('ring:other', { rest: '350' })).toBeUndefined();
  });

  it('take nothing from somebody who is no administrator any more', async () => {
    const { forms, submitted } = setUp();
    expect(await forms.submit('vault:add:one', {}, sender('mina'))).toBe(
      commandTexts('en').missingRole({ name: 'vault' }),
    );
    expect(submitted).toEqual([]);
  });

  it.each(['', 'plain:x', 'gone:add', ':'])('say that the form is too old: %j', async (id) => {
    expect(await setUp().forms.submit(id, {}, sender('boss'))).toBe(channelTexts('en').formGone());
  });

  it('never throw: the person gets an error id, the log what went wrong, and nobody what was filled in', async () => {
    const { forms, records } = setUp();
    const said = await forms.submit('vault:add:one', { secret: 'boom' }, sender('boss'));
    const [record] = records();
    expect(record).toMatchObject({ level: 'error', command: 'vault' });
    expect(said).toBe(failureTexts('en').internalError({ errorId: String(record?.['errorId']) }));
    expect(JSON.stringify(record)).not.toContain('"secret"');
  });
});
