import { describe, expect, it } from 'vitest';
import { InMemoryModelCatalog, lifecycleWarnings } from '#src/agent/models/catalog.ts';
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

const TODAY = Temporal.PlainDate.from('2026-11-14');
const ADVICE = 'set FINCLAW_MODEL or FINCLAW_FALLBACKS to a current model';

describe('lifecycleWarnings', () => {
  it('says nothing about healthy models', () => {
    expect(lifecycleWarnings([entry('fine'), entry('later', { endOfLife: '2028-01-01' })], TODAY)).toEqual(
      [],
    );
  });

  it.each([
    ['2020-01-01', 'was shut down on 2020-01-01'],
    ['2026-11-13', 'was shut down on 2026-11-13'],
    ['2026-11-14', 'was shut down on 2026-11-14'],
    ['2026-11-15', 'will be shut down on 2026-11-15, in 1 day'],
    ['2026-12-11', 'will be shut down on 2026-12-11, in 27 days'],
    ['2027-02-12', 'will be shut down on 2027-02-12, in 90 days'],
    ['2027-02-13', 'is deprecated and will be shut down on 2027-02-13'],
  ])('says of a deprecated model that ends on %s: %s', (endOfLife, what) => {
    const warnings = lifecycleWarnings([entry('old-1', { endOfLife, deprecated: true })], TODAY);
    expect(warnings).toEqual([`The model old-1 ${what}: ${ADVICE}.`]);
  });

  it('warns of an end that is near even where nobody called the model deprecated', () => {
    const warnings = lifecycleWarnings([entry('old-1', { endOfLife: '2026-12-24' })], TODAY);
    expect(warnings).toEqual([`The model old-1 will be shut down on 2026-12-24, in 40 days: ${ADVICE}.`]);
  });

  it('warns of a deprecated model without a date', () => {
    expect(lifecycleWarnings([entry('old-1', { deprecated: true })], TODAY)).toEqual([
      `The model old-1 is deprecated: ${ADVICE}.`,
    ]);
  });

  it('has one sentence a model, in the order of the models, however often one is named', () => {
    const [first, second] = [entry('b', { deprecated: true }), entry('a', { deprecated: true })];
    const warnings = lifecycleWarnings([first, entry('fine'), second, first], TODAY);
    expect(warnings.map((warning) => warning.split(' ')[2])).toEqual(['b', 'a']);
  });
});
