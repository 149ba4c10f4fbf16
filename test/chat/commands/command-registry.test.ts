import { describe, expect, it } from 'vitest';
import type { Command } from '#src/kernel/chat/command.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { createCommandRegistry, parseCommand } from '#src/chat/commands/command-registry.ts';
import { msgContext } from '#test/support/context.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';
import { normalizeText } from '#test/support/markup.ts';

const named = (name: string, aliases: readonly string[] = []): Command => ({
  definition: {
    name,
    aliases,
    description: { ko: '설명', en: 'description' },
    usage: { ko: `/${name}`, en: `/${name}` },
    category: 'general',
  },
  execute: async () => ({ content: name, ephemeral: false }),
});

const registry = createCommandRegistry(
  [named('price', ['시세', 'quote']), named('help', ['h', '도움말']), named('reset', ['clear', '초기화'])],
  '/',
  normalizeText,
);

const parse = (text: string) => parseCommand(text, ['/']);

describe('parseCommand', () => {
  everyRow([
    '',
    '/',
    '//',
    '//help',
    '/ help',
    '/etc/hosts',
    '/2',
    '/2026-11-13',
    '/?',
    '/-h',
    '/help!',
    'help',
    'please /help',
    '```/help```',
    '```\n/help\n```',
    '`/help`',
    '~~~\n/help\n~~~',
    '/price\nAAPL',
    '/price AAPL\n/price TSLA',
    '/help\nand tell me what it means',
    '/help\u2028/reset',
    '!help',
    `/${'a'.repeat(33)}`,
  ])('takes %j for no command', (text) => {
    expect(parse(text)).toBeNull();
  });

  everyRow([
    { text: '/help', name: 'help', args: [] },
    { text: '  /help  ', name: 'help', args: [] },
    { text: '/help\n\n  \n', name: 'help', args: [] },
    { text: '/HELP', name: 'help', args: [] },
    { text: '/도움말 x', name: '도움말', args: ['x'] },
    { text: '/price AAPL  TSLA', name: 'price', args: ['AAPL', 'TSLA'] },
    { text: '/price\tAAPL', name: 'price', args: ['AAPL'] },
    { text: '/two-words_3 a', name: 'two-words_3', args: ['a'] },
    { text: `/${'a'.repeat(32)}`, name: 'a'.repeat(32), args: [] },
    { text: '/unknown thing', name: 'unknown', args: ['thing'] },
  ])('reads $text', ({ text, name, args }) => {
    expect(parse(text)).toEqual({ name, args, flags: new Map() });
  });

  everyRow([
    ['"SK hynix" AAPL', ['SK hynix', 'AAPL']],
    ["'SK hynix' AAPL", ['SK hynix', 'AAPL']],
    ['“SK hynix” AAPL', ['SK hynix', 'AAPL']],
    ['‘SK hynix’ AAPL', ['SK hynix', 'AAPL']],
    ['"SK  hynix"', ['SK hynix']],
    ['"SK hynix",AAPL', ['SK hynix', ',AAPL']],
    ['""', ['']],
    ['"SK hynix', ['"SK', 'hynix']],
    ['“SK hynix', ['“SK', 'hynix']],
    ["McDonald's Wendy's", ["McDonald's", "Wendy's"]],
    ["'tis Wendy's", ["'tis", "Wendy's"]],
    ['a"b c"d', ['a"b', 'c"d']],
  ])('reads the words %s', (words, args) => {
    expect(parse(`/price ${words}`)?.args).toEqual(args);
  });

  everyRow<[string, readonly string[], Record<string, string | true>]>([
    ['--all', [], { all: true }],
    ['AAPL --all TSLA', ['AAPL', 'TSLA'], { all: true }],
    ['--All', [], { all: true }],
    ['--전체', [], { 전체: true }],
    ['--by=day', [], { by: 'day' }],
    ['--name="a b" c', ['c'], { name: 'a b' }],
    ['--name=“a b” c', ['c'], { name: 'a b' }],
    ['--name=', [], { name: '' }],
    ['--name=a=b', [], { name: 'a=b' }],
    ['--a --b=1', [], { a: true, b: '1' }],
    ['--a=1 --a=2', ['--a=2'], { a: '1' }],
    // A value never stands behind a blank: nobody here knows which flags take one.
    ['--by day', ['day'], { by: true }],
    // Not flags
    ['-5 -5% -v', ['-5', '-5%', '-v'], {}],
    ['--5', ['--5'], {}],
    ['"--all"', ['--all'], {}],
    ['-- --all --by=day', ['--all', '--by=day'], {}],
    ['--all -- --', ['--'], { all: true }],
    ['a--b', ['a--b'], {}],
    ['--- --a.b', ['---', '--a.b'], {}],
  ])('tells words from flags in %s', (text, args, flags) => {
    const parsed = parse(`/price ${text}`);
    expect(parsed?.args).toEqual(args);
    expect(Object.fromEntries(parsed?.flags ?? [])).toEqual(flags);
  });

  it('takes no time over quotation marks that nobody closes', () => {
    const startedMs = cpuMs();
    for (const piece of ['“ ', '‘ ', "' ", '"', "'a'b ", '--a=“ ']) parse(`/price ${piece.repeat(20_000)}`);
    expect(cpuMs() - startedMs).toBeLessThan(2_000);
  });

  it('keeps the case of arguments', () => {
    expect(parse('/Price aApL')?.args).toEqual(['aApL']);
  });
});

describe('createCommandRegistry with a prefix of its own', () => {
  const own = createCommandRegistry([named('help')], '!');

  it.each(['!help', '/help'])('reads %s', (text) => {
    expect(own.commandIn(text)).toMatchObject({ kind: 'known' });
  });

  it.each(['.help', '!!help', '! help', '!/help', '!'])('takes %j for no command', (text) => {
    expect(own.commandIn(text)).toBeNull();
  });

  it('reads the longer of two that begin alike', () => {
    expect(createCommandRegistry([named('help')], '//').commandIn('//help')?.parsed.name).toBe('help');
  });
});

describe('createCommandRegistry register', () => {
  it('finds a command from when it is registered, under all of its names', () => {
    const changing = createCommandRegistry([named('help')]);
    changing.register(named('price', ['시세']));
    expect(changing.list().map(({ name }) => name)).toEqual(['help', 'price']);
    expect(changing.get('시세')?.definition.name).toBe('price');
  });

  it('registers nothing of a command of which one name is taken', () => {
    const changing = createCommandRegistry([named('help')]);
    expect(() => changing.register(named('price', ['시세', 'help']))).toThrow('called "help"');
    expect(changing.get('시세')).toBeUndefined();
    expect(changing.list()).toHaveLength(1);
  });
});

describe('createCommandRegistry execute', () => {
  const calls: unknown[] = [];
  const secret: Command = {
    definition: { ...named('secret').definition, requiredRoles: ['ops'] },
    execute: async (...call) => {
      calls.push(call);
      return { content: 'done', ephemeral: false };
    },
  };
  const guarded = createCommandRegistry([secret]);
  const run = (text: string, ctx: Partial<TurnContext>) => {
    const parsed = parse(text);
    if (!parsed) throw new Error('no command');
    return guarded.execute(parsed, msgContext(ctx), new AbortController().signal);
  };

  it('hands over words, context and flags', async () => {
    calls.length = 0;
    expect(await run('/secret a --b=c', { isAdmin: true })).toEqual({ content: 'done', ephemeral: false });
    expect(calls).toMatchObject([[['a'], {}, {}, new Map([['b', 'c']])]]);
  });

  it('runs nothing for those without the role', async () => {
    calls.length = 0;
    const { content, ephemeral } = await run('/secret', { userRoles: ['guest'] });
    expect(content).toBe(commandTexts('en').missingRole({ name: 'secret' }));
    expect(ephemeral).toBe(true);
    expect(calls).toEqual([]);
  });

  it('throws for a command that is not there', async () => {
    await expect(run('/other', {})).rejects.toMatchObject({ code: 'COMMAND_UNKNOWN', isOperational: false });
  });
});

describe('createCommandRegistry commandIn', () => {
  it.each([
    ['/price AAPL', 'known'],
    ['<@U1> /price AAPL', 'known'],
    ['<@!42>\n/초기화', 'known'],
    ['</price:123> AAPL', 'known'],
    [' /시세 삼성전자\n'.normalize('NFD'), 'known'],
    ['/prcie AAPL', 'mistyped'],
    ['/초기하', 'mistyped'],
  ])('finds in %j a command that is %s', (text, kind) => {
    expect(registry.commandIn(text)?.kind).toBe(kind);
  });

  everyRow([
    'How is Apple?',
    '/weather Seoul',
    '```\n/price\n```',
    '`/price`',
    '/price AAPL\n/price TSLA',
    '/price AAPL\nwhy so low?',
    '/portfolio\nwhat is it?',
    '> /price AAPL',
  ])('leaves %j to the model', (text) => {
    expect(registry.commandIn(text)).toBeNull();
  });

  it('takes the lines below a command only where that command wants them', () => {
    const command = named('ledger');
    const taking = {
      ...command,
      definition: { ...command.definition, takesLines: { words: ['import'], maxChars: 9_000 } },
    };
    const { commandIn } = createCommandRegistry([taking]);
    expect(commandIn('/ledger Import --in=main\ndate,symbol\n2026-11-13,AAPL')).toMatchObject({
      kind: 'known',
      parsed: { args: ['Import'] },
    });
    expect(commandIn('/ledger\nwhat is it?')).toBeNull();
    expect(commandIn('/ledger import AAPL')).toMatchObject({ parsed: { args: ['import', 'AAPL'] } });
  });
});

describe('createCommandRegistry get and list', () => {
  it.each([
    ['price', 'price'],
    ['quote', 'price'],
    ['시세', 'price'],
    ['H', 'help'],
    ['CLEAR', 'reset'],
  ])('finds by %j the command %s', (name, found) => {
    expect(registry.get(name)?.definition.name).toBe(found);
  });

  it('finds nothing under a name that no command has', () => {
    expect(registry.get('portfolio')).toBeUndefined();
    expect(registry.get('')).toBeUndefined();
  });

  it('lists each command once, in the order given', () => {
    expect(registry.list().map(({ name }) => name)).toEqual(['price', 'help', 'reset']);
  });

  it.each([
    { what: 'two names', commands: [named('price'), named('price')], taken: 'price' },
    { what: 'a name and an alias', commands: [named('price'), named('help', ['price'])], taken: 'price' },
    { what: 'two aliases', commands: [named('a', ['x']), named('b', ['x'])], taken: 'x' },
    { what: 'names that differ in case', commands: [named('Price'), named('price')], taken: 'price' },
    { what: 'an alias of itself', commands: [named('price', ['price'])], taken: 'price' },
  ])('refuses a name that is taken: $what', ({ commands, taken }) => {
    expect(() => createCommandRegistry(commands)).toThrow(`Two commands are called "${taken}"`);
  });
});

const meantBy = (typed: string, { commandIn } = registry): string | undefined => {
  const found = commandIn(`/${typed}`);
  return found?.kind === 'mistyped' ? found.nearest : undefined;
};

describe('createCommandRegistry on mistyped names', () => {
  everyRow([
    ['prize', 'price'],
    ['pirce', 'price'],
    ['pric', 'price'],
    ['pprrice', 'price'],
    ['hlep', 'help'],
    ['resett', 'reset'],
    ['초기하', '초기화'],
    ['시새', '시세'],
    ['qoute', 'quote'],
  ])('takes %j for a mistyped %s', (typed, meant) => {
    expect(meantBy(typed)).toBe(meant);
  });

  everyRow(['x', 'abc', 'portfolio', '포트폴리오', 'weather', 'hp', 'prrriiice', '가나'])(
    'suggests nothing for %j',
    (typed) => {
      expect(meantBy(typed)).toBeUndefined();
    },
  );

  it('prefers the closest of several', () => {
    const close = createCommandRegistry([named('reset'), named('rest'), named('test')]);
    expect(meantBy('resx', close)).toBe('rest');
  });
});
