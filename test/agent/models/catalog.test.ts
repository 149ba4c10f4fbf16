import { describe, expect, it } from 'vitest';
import { InMemoryModelCatalog } from '#src/agent/models/catalog.ts';
import { entry } from './support.ts';

const ids = (models: readonly { readonly id: string }[]): readonly string[] => models.map(({ id }) => id);

const base = entry('base').capabilities;
const setUp = () =>
  new InMemoryModelCatalog([
    entry('zeta', { capabilities: { ...base, vision: false, numericalReasoningTier: 'low' } }),
    entry('alpha', { provider: 'openai' }),
    entry('mid', { capabilities: { ...base, vision: false, numericalReasoningTier: 'high' } }),
  ]);

describe('InMemoryModelCatalog', () => {
  it('lists models in the order in which they came, not by name', () => {
    const catalog = setUp();
    catalog.registerModel(entry('beta'));
    expect(ids(catalog.listModels())).toEqual(['zeta', 'alpha', 'mid', 'beta']);
  });

  it('knows nothing when empty', () => {
    const catalog = new InMemoryModelCatalog();
    expect(catalog.listModels()).toEqual([]);
    expect(catalog.getModel('zeta')).toBeUndefined();
    expect(catalog.findModels({})).toEqual([]);
  });

  it('finds a model by its exact id only', () => {
    const catalog = setUp();
    expect(catalog.getModel('alpha')?.provider).toBe('openai');
    expect(catalog.getModel('Alpha')).toBeUndefined();
    expect(catalog.getModel('toString')).toBeUndefined();
  });

  it('finds the models of a provider', () => {
    expect(ids(setUp().getModelsByProvider('anthropic'))).toEqual(['zeta', 'mid']);
    expect(ids(setUp().getModelsByProvider('openai'))).toEqual(['alpha']);
  });

  it.each([
    [{}, ['zeta', 'alpha', 'mid']],
    [{ vision: true }, ['alpha']],
    [{ vision: false }, ['zeta', 'mid']],
    [{ vision: false, numericalReasoningTier: 'high' } as const, ['mid']],
    [{ streaming: false }, []],
  ])('finds by %o the models %o', (filter, found) => {
    expect(ids(setUp().findModels(filter))).toEqual(found);
  });

  it('refuses a second model of the same id and keeps the first', () => {
    const catalog = setUp();
    const refused = expect.objectContaining({ code: 'MODEL_EXISTS', details: { id: 'alpha' } });
    expect(() => catalog.registerModel(entry('alpha', { displayName: 'another' }))).toThrow(refused);
    expect(catalog.getModel('alpha')?.displayName).toBe('alpha');
    expect(() => new InMemoryModelCatalog([entry('twice'), entry('twice')])).toThrow('"twice"');
  });
});
