import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildModelAliasIndex } from '#src/agent/models/selection.ts';
import { InMemoryModelCatalog, type ModelEntry } from '#src/agent/models/catalog.ts';
import { BUILT_IN_MODELS } from '#src/agent/models/catalog-data.ts';
import { entry } from './support.ts';

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
