import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_MODELS } from '#src/agent/models/catalog-data.ts';
import { InMemoryModelCatalog, type ModelEntry } from '#src/agent/models/catalog.ts';
import {
  buildModelAliasIndex,
  nearModels,
  resolveModel,
  toModelRef,
} from '#src/agent/models/resolve-model.ts';
import { everyRow } from '#test/support/every-row.ts';
import { entry } from './support.ts';

const catalog = new InMemoryModelCatalog(BUILT_IN_MODELS);
const index = buildModelAliasIndex(catalog, { onDuplicate: () => {} });
const resolve = (raw: string, defaultModelId?: string) =>
  resolveModel({ raw }, catalog, index, defaultModelId);

const NAMES = BUILT_IN_MODELS.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => ({ name, id })));

/** Any text at all, halves of surrogate pairs included. */
const anyText = fc.array(fc.nat({ max: 0xff_ff })).map((codes) => String.fromCharCode(...codes));

describe('resolveModel', () => {
  it('takes an exact id first', () => {
    expect(resolve('gpt-6-luna')).toEqual({
      entry: catalog.getModel('gpt-6-luna'),
      provider: 'openai',
      modelId: 'gpt-6-luna',
      resolvedFrom: 'id',
    });
  });

  it('knows an id that was registered after the index was built', () => {
    const later = new InMemoryModelCatalog([entry('late')]);
    expect(resolveModel({ raw: 'late' }, later, new Map()).resolvedFrom).toBe('id');
  });

  it('takes an alias next', () => {
    expect(resolve('opus')).toMatchObject({ modelId: 'claude-opus-5-5', resolvedFrom: 'alias' });
  });

  it('minds neither case nor spaces around a name', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n'), maxLength: 3 });
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
        space,
        space,
        ({ name, id }, isUpper, before, after) => {
          const typed = name.replaceAll(/./g, (char, at: number) =>
            isUpper[at] ? char.toUpperCase() : char,
          );
          expect(resolve(`${before}${typed}${after}`).modelId).toBe(id);
        },
      ),
    );
  });

  it('falls back on the default for a name that nobody knows', () => {
    expect(resolve('no-such-thing', 'o3')).toMatchObject({ modelId: 'o3', resolvedFrom: 'default' });
  });

  it('prefers what was asked for to the default', () => {
    expect(resolve('haiku', 'o3').modelId).toBe('claude-haiku-5-5');
  });

  it.each([
    ['without a default', undefined],
    ['with a default that does not exist itself', 'gone-1'],
  ])('refuses an unknown name %s and names the nearest', (_how, defaultModelId) => {
    expect(() => resolve('sonet', defaultModelId)).toThrow(
      expect.objectContaining({
        code: 'MODEL_UNKNOWN',
        isOperational: true,
        message: expect.stringMatching(/^There is no model "sonet": use one of sonnet\b/),
        details: { near: expect.arrayContaining(['sonnet']) },
      }),
    );
  });

  it('names the current models where nothing is near', () => {
    const all = BUILT_IN_MODELS.filter(({ deprecated }) => !deprecated).map(({ id }) => id);
    expect(() => resolve('zzzzzzzz')).toThrow(
      expect.objectContaining({
        message: `There is no model "zzzzzzzz": use one of ${all.join(', ')}`,
        details: { near: [] },
      }),
    );
  });

  it('refuses every name of an empty catalog', () => {
    const empty = new InMemoryModelCatalog();
    expect(() => resolveModel({ raw: 'opus' }, empty, new Map(), 'opus')).toThrow('the catalog is empty');
  });

  it('repeats of a very long name only its beginning', () => {
    expect(() => resolve(`q${'z'.repeat(100_000)}\n`)).toThrow(/^There is no model "qz{59}…": use one of/);
  });

  it('takes any text without failing in another way', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string()), (raw) => {
        expect(resolve(raw, 'o3').entry).toBeDefined();
        if (resolve(raw, 'o3').resolvedFrom === 'default')
          expect(() => resolve(raw)).toThrow(expect.objectContaining({ code: 'MODEL_UNKNOWN' }));
      }),
    );
  });
});

describe('nearModels', () => {
  everyRow([
    ['a letter missing', 'opu', ['opus', 'opus-5', 'opus-4']],
    ['letters swapped', 'hakiu', ['haiku']],
    ['another version', 'claude-opus-4-5', ['claude-opus-5-5', 'claude-opus-4-6', 'claude-opus-5']],
    ['the beginning only', 'claude', ['claude-opus', 'claude-haiku', 'claude-opus-5']],
    ['a dated id of a model', 'gpt-4o-mini-2024-07-18', ['gpt-4o-mini', 'gpt-4o', 'gpt']],
    ['a name inside a longer one', 'the-fable-please', ['fable']],
    ['two names, the first of which counts more', 'terra-or-fable', ['terra', 'fable']],
    ['a part of a name', 'err', ['terra']],
    ['capitals and spaces', ' TERRRA ', ['terra']],
  ])('guesses from %s', (_what, raw, near) => {
    expect(nearModels(raw, index)).toEqual(near);
  });

  it.each(['', ' ', 'z', 'o', '삼성전자', 'zzzzzzzz'])('has no guess for "%s"', (raw) => {
    expect(nearModels(raw, index)).toEqual([]);
  });

  it('ranks fewer mistakes before more, and mistakes before parts', () => {
    const small = new InMemoryModelCatalog(
      ['abcdefgh-long', 'abcdxx', 'abcdefg', 'abcdex'].map((id) => entry(id)),
    );
    const smallIndex = buildModelAliasIndex(small, { onDuplicate: () => {} });
    expect(nearModels('abcdef', smallIndex)).toEqual(['abcdex', 'abcdefg', 'abcdxx']);
    expect(nearModels('abcdefgh-', smallIndex)).toEqual(['abcdefg', 'abcdefgh-long']);
  });

  it('ranks a name that begins as typed before one that has it inside, though it be longer', () => {
    const small = new InMemoryModelCatalog([entry('my-luma'), entry('luma-of-the-longer-name')]);
    const smallIndex = buildModelAliasIndex(small, { onDuplicate: () => {} });
    expect(nearModels('luma', smallIndex)).toEqual(['luma-of-the-longer-name', 'my-luma']);
  });

  it('gives at most three names that exist, each of another model', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom('gpt', 'claude', 'o', '4'), fc.string()), (raw) => {
        const near = nearModels(raw, index);
        expect(near.length).toBeLessThanOrEqual(3);
        const models = near.map((name) => index.get(name)?.id);
        expect(models).not.toContain(undefined);
        expect(new Set(models).size).toBe(near.length);
      }),
    );
  });
});

describe('toModelRef', () => {
  it('keeps what a provider needs', () => {
    expect(toModelRef(resolve('4o').entry)).toEqual({
      provider: 'openai',
      model: 'gpt-4o',
    });
  });
});

const setUp = (models: readonly ModelEntry[], extraAliases: Readonly<Record<string, string>> = {}) => {
  const duplicates: string[] = [];
  const index = buildModelAliasIndex(new InMemoryModelCatalog(models), {
    extraAliases,
    onDuplicate: (alias, kept, ignored) => duplicates.push(`${alias}: ${kept.id}, not ${ignored.id}`),
  });
  return { duplicates, idOf: (alias: string): string | undefined => index.get(alias)?.id };
};

const FIRST = entry('first-1', { aliases: ['one', 'shared'] });
const SECOND = entry('second-2', { aliases: ['two', 'shared'] });

describe('buildModelAliasIndex', () => {
  it('knows ids and aliases', () => {
    const { idOf } = setUp([FIRST, SECOND]);
    expect([idOf('first-1'), idOf('one'), idOf('second-2'), idOf('two')]).toEqual([
      'first-1',
      'first-1',
      'second-2',
      'second-2',
    ]);
    expect(idOf('three')).toBeUndefined();
  });

  it('lets the first model keep a name that two want, and says so', () => {
    const { idOf, duplicates } = setUp([FIRST, SECOND]);
    expect(idOf('shared')).toBe('first-1');
    expect(duplicates).toEqual(['shared: first-1, not second-2']);
  });

  it('takes the same name twice for the same model as no duplicate', () => {
    const { idOf, duplicates } = setUp([entry('o3', { aliases: ['o3', 'O3 '] })], { o3: 'o3' });
    expect(idOf('o3')).toBe('o3');
    expect(duplicates).toEqual([]);
  });

  it('stores names in lower case and without spaces around them', () => {
    const { idOf } = setUp([entry('Big-Model', { aliases: ['  The Big One '] })], {
      ' MINE ': ' THE big one',
    });
    expect([idOf('big-model'), idOf('the big one'), idOf('mine')]).toEqual([
      'Big-Model',
      'Big-Model',
      'Big-Model',
    ]);
  });

  it('never takes an empty name for a model', () => {
    const { idOf } = setUp([entry('a', { aliases: [''] })], { '  ': 'a' });
    expect(idOf('')).toBeUndefined();
  });

  it('lets the operator point a built-in alias elsewhere, by id or by alias, and says so', () => {
    const { idOf, duplicates } = setUp([FIRST, SECOND], { One: 'second-2', mine: 'Two' });
    expect([idOf('one'), idOf('mine'), idOf('first-1')]).toEqual(['second-2', 'second-2', 'first-1']);
    expect(duplicates).toContain('one: second-2, not first-1');
  });

  it('reads a re-pointed alias as the target of another in its built-in meaning', () => {
    const { idOf } = setUp([FIRST, SECOND], { one: 'two', two: 'one' });
    expect([idOf('one'), idOf('two')]).toEqual(['second-2', 'first-1']);
  });

  it('never lets an alias take the id of another model', () => {
    const thief = entry('thief', { aliases: ['second-2'] });
    const { idOf, duplicates } = setUp([thief, SECOND], { THIEF: 'second-2' });
    expect([idOf('thief'), idOf('second-2')]).toEqual(['thief', 'second-2']);
    expect(duplicates).toEqual(['thief: thief, not second-2', 'second-2: second-2, not thief']);
  });

  it('refuses an alias to a model that does not exist and names near ones', () => {
    const unknown = { code: 'MODEL_UNKNOWN', details: { near: ['second-2'] } };
    expect(() => setUp([FIRST, SECOND], { mine: 'secnd-2' })).toThrow(expect.objectContaining(unknown));
    expect(() => setUp([FIRST, SECOND], { mine: 'secnd-2' })).toThrow('"secnd-2": use one of second-2');
  });

  it('has every name of every built-in model in lower case, and no other', () => {
    const { idOf } = setUp(BUILT_IN_MODELS);
    const names = BUILT_IN_MODELS.flatMap(({ id, aliases }) =>
      [id, ...aliases].map((name) => ({ name, id })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string(), ({ name, id }, other) => {
        expect(idOf(name)).toBe(id);
        if (!names.some((known) => known.name === other)) expect(idOf(other)).toBeUndefined();
      }),
    );
  });
});
