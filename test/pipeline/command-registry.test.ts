import { describe, expect, it } from 'vitest';
import type { Command } from '#src/core/command.ts';
import { createCommandRegistry } from '#src/pipeline/command-registry.ts';

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

const registry = createCommandRegistry([
  named('price', ['시세', 'quote']),
  named('help', ['h', '도움말']),
  named('reset', ['clear', '초기화']),
]);

describe('createCommandRegistry parse', () => {
  it.each([
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
    '!help',
    '```/help```',
    `/${'a'.repeat(33)}`,
  ])('takes %j for no command', (text) => {
    expect(registry.parse(text)).toBeNull();
  });

  it.each([
    { text: '/help', name: 'help', args: [] },
    { text: '  /help  ', name: 'help', args: [] },
    { text: '/HELP', name: 'help', args: [] },
    { text: '/도움말 x', name: '도움말', args: ['x'] },
    { text: '/price AAPL  TSLA', name: 'price', args: ['AAPL', 'TSLA'] },
    { text: '/price "SK hynix" AAPL', name: 'price', args: ['SK hynix', 'AAPL'] },
    { text: '/price ""', name: 'price', args: [''] },
    { text: '/price "SK hynix', name: 'price', args: ['"SK', 'hynix'] },
    { text: '/price\nAAPL', name: 'price', args: ['AAPL'] },
    { text: '/two-words_3 a', name: 'two-words_3', args: ['a'] },
    { text: `/${'a'.repeat(32)}`, name: 'a'.repeat(32), args: [] },
    { text: '/unknown thing', name: 'unknown', args: ['thing'] },
  ])('reads $text', ({ text, name, args }) => {
    expect(registry.parse(text)).toEqual({ name, args, raw: text.trim() });
  });

  it('keeps the case of arguments', () => {
    expect(registry.parse('/Price aApL')?.args).toEqual(['aApL']);
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

describe('createCommandRegistry nearest', () => {
  it.each([
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
    expect(registry.nearest(typed)).toBe(meant);
  });

  it.each(['x', 'abc', 'portfolio', '포트폴리오', 'weather', 'hp', 'prrriiice', '가나'])(
    'suggests nothing for %j',
    (typed) => {
      expect(registry.nearest(typed)).toBeUndefined();
    },
  );

  it('prefers the closest of several', () => {
    const close = createCommandRegistry([named('reset'), named('rest'), named('test')]);
    expect(close.nearest('resx')).toBe('rest');
  });
});
