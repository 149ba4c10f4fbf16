import { describe, expect, it } from 'vitest';
import { BUILT_IN_MODELS, DEFAULT_MODEL_CHAIN } from '#src/agent/models/catalog-data.ts';
import { OFFLINE_MODEL } from '#src/agent/offline/offline-provider.ts';
import { MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { ADMIN, ANYBODY, idsOf, JOON, MINA, setUp } from './model-choice-support.ts';

const BLIND = BUILT_IN_MODELS.map((model) => ({
  ...model,
  capabilities: { ...model.capabilities, vision: model.id === 'gpt-4o' },
}));

const providerOf = (id: string) => BUILT_IN_MODELS.find((model) => model.id === id)?.provider;
const inputPrice = (id: string): number =>
  BUILT_IN_MODELS.find((model) => model.id === id)?.pricing?.inputPerMillion ?? NaN;

describe('the models that are tried', () => {
  it('are the default ones where nothing is configured', async () => {
    const { create } = await setUp();
    expect(idsOf(await create().chainFor(MINA, false))).toEqual(DEFAULT_MODEL_CHAIN);
  });

  it.each(['anthropic', 'openai'] as const)('are those of %s where only it has a key', async (provider) => {
    const { create } = await setUp({ keys: [provider] });
    const chain = idsOf(await create().chainFor(MINA, false));
    expect(chain).toEqual(DEFAULT_MODEL_CHAIN.filter((id) => providerOf(id) === provider));
    expect(chain.length).toBeGreaterThan(0);
  });

  it('are the offline rules where no key is set', async () => {
    const { create } = await setUp({ keys: [] });
    const choice = create();
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual([OFFLINE_MODEL.id]);
    expect(choice.defaultModel()).toBe(OFFLINE_MODEL);
    expect((await choice.current(MINA)).model).toMatchObject({ id: OFFLINE_MODEL.id, isUsable: true });
  });

  it('follow the keys that come and go while the program runs', async () => {
    const { create, keys } = await setUp({ keys: [] });
    const choice = create();
    keys.add('openai');
    expect((await choice.chainFor(MINA, false)).map(({ provider }) => provider)).toContain('openai');
    expect(idsOf(await choice.chainFor(MINA, false))).not.toContain(OFFLINE_MODEL.id);
    expect(choice.defaultModel().provider).toBe('openai');
    keys.clear();
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual([OFFLINE_MODEL.id]);
  });

  it('begin with the configured one, and fall back only on what costs no more', async () => {
    const { create } = await setUp({ model: 'sonnet' });
    const [first, ...others] = idsOf(await create().chainFor(MINA, false));
    expect(first).toBe('claude-sonnet-5-5');
    expect(others).toEqual(
      DEFAULT_MODEL_CHAIN.filter((id) => id !== first && inputPrice(id) <= inputPrice('claude-sonnet-5-5')),
    );
    expect(others).not.toContain('claude-opus-5-5');
    expect(others.length).toBeGreaterThan(0);
  });

  it('count what an answer costs too: cheap to ask and dear to hear is no cheap fallback', async () => {
    const catalog = BUILT_IN_MODELS.map((model) =>
      model.id === 'gpt-6-luna' && model.pricing
        ? { ...model, pricing: { ...model.pricing, outputPerMillion: 1_000 } }
        : model,
    );
    expect(inputPrice('gpt-6-luna')).toBeLessThanOrEqual(inputPrice('claude-haiku-5-5'));
    for (const options of [{ model: 'haiku', catalog }, { catalog }]) {
      const choice = (await setUp(options)).create();
      await choice.switchTo(MINA, 'haiku', ADMIN);
      expect(idsOf(await choice.chainFor(MINA, false))).toEqual(['claude-haiku-5-5']);
    }
  });

  it('are all the default ones behind the dearest of them', async () => {
    const dearest = DEFAULT_MODEL_CHAIN.toSorted((a, b) => inputPrice(b) - inputPrice(a))[0] ?? '';
    const chain = idsOf(await (await setUp({ model: dearest })).create().chainFor(MINA, false));
    expect(chain[0]).toBe(dearest);
    expect(chain.toSorted()).toEqual(DEFAULT_MODEL_CHAIN.toSorted());
  });

  it('are none but the configured one where its price is not known', async () => {
    const catalog = BUILT_IN_MODELS.map((model) => (model.id === 'o3' ? { ...model, pricing: null } : model));
    const { create } = await setUp({ model: 'o3', catalog });
    expect(idsOf(await create().chainFor(MINA, false))).toEqual(['o3']);
  });

  it('are exactly the configured ones where the fallbacks are configured too, each once', async () => {
    const { create } = await setUp({ model: 'haiku', fallbacks: ['opus', 'haiku', 'gpt-6-luna', 'opus'] });
    const choice = create();
    const expected = ['claude-haiku-5-5', 'claude-opus-5-5', 'gpt-6-luna'];
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual(expected);
    expect(choice.configuredModels().map(({ id }) => id)).toEqual(expected);
  });

  it('are the configured one alone where no fallback is wanted', async () => {
    const { create } = await setUp({ model: 'haiku', fallbacks: [] });
    expect(idsOf(await create().chainFor(MINA, false))).toEqual(['claude-haiku-5-5']);
  });

  it('are the usual first one with a key and the configured fallbacks where only those are configured', async () => {
    const { create, keys } = await setUp({ fallbacks: ['gpt-6-luna', 'haiku'] });
    const choice = create();
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual([
      'claude-opus-5-5',
      'gpt-6-luna',
      'claude-haiku-5-5',
    ]);
    keys.delete('anthropic');
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual(['gpt-6.1-sol', 'gpt-6-luna']);
  });

  it('leave out configured fallbacks without a key, which are still configured', async () => {
    const { create } = await setUp({ model: 'haiku', fallbacks: ['gpt-6-luna'], keys: ['anthropic'] });
    const choice = create();
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual(['claude-haiku-5-5']);
    expect(choice.configuredModels().map(({ id }) => id)).toContain('gpt-6-luna');
  });
});

describe('a model that the server does not serve', () => {
  const unserved = BUILT_IN_MODELS.filter(({ provider }) => provider === 'openai').map(({ id }) => id);

  it('is passed over in the chain, shown as not usable, and not switched to, though there is a key', async () => {
    const { create, settings } = await setUp({ unserved });
    const choice = create();
    expect((await choice.chainFor(MINA, false)).map(({ provider }) => provider)).not.toContain('openai');
    for (const { id, isUsable } of choice.list(ADMIN, MAIN_AGENT))
      expect(isUsable, id).toBe(!unserved.includes(id));
    expect(await choice.switchTo(MINA, 'gpt', ADMIN)).toMatchObject({ model: { isUsable: false } });
    expect(await settings.getModel(MINA)).toBeUndefined();
  });

  it('is not asked for a picture either', async () => {
    const catalog = BLIND.map((model) => (model.id === 'gpt-4o' ? { ...model, deprecated: false } : model));
    const { create } = await setUp({ model: 'haiku', fallbacks: [], catalog, unserved, choices: ['gpt-4o'] });
    expect(idsOf(await create().chainFor(MINA, true))).toEqual(['claude-haiku-5-5']);
  });

  it('makes way for the first usual one that is served where only fallbacks are configured', async () => {
    const { create } = await setUp({ fallbacks: ['haiku'], unserved: [DEFAULT_MODEL_CHAIN[0] ?? ''] });
    expect(idsOf(await create().chainFor(MINA, false))).toEqual([DEFAULT_MODEL_CHAIN[1], 'claude-haiku-5-5']);
  });
});

describe('a picture', () => {
  it('changes nothing where the models see', async () => {
    const { create } = await setUp();
    expect(idsOf(await create().chainFor(MINA, true))).toEqual(DEFAULT_MODEL_CHAIN);
  });

  it('goes only to those of the chain that see', async () => {
    const { create } = await setUp({ model: 'haiku', fallbacks: ['gpt-4o'], catalog: BLIND });
    expect(idsOf(await create().chainFor(MINA, true))).toEqual(['gpt-4o']);
    expect(idsOf(await create().chainFor(MINA, false))).toEqual(['claude-haiku-5-5', 'gpt-4o']);
  });

  it('goes first to another model that sees where none of the chain does', async () => {
    const seeing = BLIND.map((model) => (model.id === 'gpt-4o' ? { ...model, deprecated: false } : model));
    const options = { model: 'haiku', fallbacks: [], catalog: seeing };
    const { create } = await setUp({ ...options, choices: ['gpt-4o'] });
    expect(idsOf(await create().chainFor(MINA, true))).toEqual(['gpt-4o', 'claude-haiku-5-5']);
    // Nobody gets a dearer model for attaching a picture.
    const { create: createUnlisted } = await setUp(options);
    expect(idsOf(await createUnlisted().chainFor(MINA, true))).toEqual(['claude-haiku-5-5']);
  });

  it('goes to the cheapest of several others that see', async () => {
    const sees = ['claude-opus-5-5', 'gpt-6-luna', 'gpt-6.1-sol'];
    const catalog = BUILT_IN_MODELS.map((model) => ({
      ...model,
      capabilities: { ...model.capabilities, vision: sees.includes(model.id) },
    }));
    const cheapest = sees.toSorted((a, b) => inputPrice(a) - inputPrice(b))[0];
    const { create } = await setUp({ model: 'haiku', fallbacks: [], catalog, choices: sees });
    expect(idsOf(await create().chainFor(MINA, true))).toEqual([cheapest, 'claude-haiku-5-5']);
  });

  it('goes to no model that is deprecated or has no key: the usual one is told of it instead', async () => {
    const old = BLIND.map((model) => ({ ...model, deprecated: true }));
    const deprecated = await setUp({ model: 'haiku', fallbacks: [], catalog: old, choices: ['gpt-4o'] });
    expect(idsOf(await deprecated.create().chainFor(MINA, true))).toEqual(['claude-haiku-5-5']);
    const seeing = BLIND.map((model) => (model.id === 'gpt-4o' ? { ...model, deprecated: false } : model));
    const keyless = await setUp({
      model: 'haiku',
      fallbacks: [],
      catalog: seeing,
      choices: ['gpt-4o'],
      keys: ['anthropic'],
    });
    expect(idsOf(await keyless.create().chainFor(MINA, true))).toEqual(['claude-haiku-5-5']);
  });

  it('goes to the offline rules where there is nothing else', async () => {
    const { create } = await setUp({ keys: [] });
    expect(idsOf(await create().chainFor(MINA, true))).toEqual([OFFLINE_MODEL.id]);
  });
});

describe('the choice for one conversation', () => {
  it('comes first, and once, in front of the usual models of that conversation alone', async () => {
    const { create } = await setUp();
    const choice = create();
    expect(await choice.switchTo(MINA, ' HAIKU ', ADMIN)).toMatchObject({
      status: 'switched',
      model: { id: 'claude-haiku-5-5', isUsable: true },
    });
    const chain = idsOf(await choice.chainFor(MINA, false));
    expect(chain).toEqual(['claude-haiku-5-5', 'gpt-6-luna']);
    expect(idsOf(await choice.chainFor(JOON, false))).toEqual(DEFAULT_MODEL_CHAIN);
    expect(await choice.current(MINA)).toMatchObject({
      model: { id: 'claude-haiku-5-5' },
      isChosen: true,
      fallbacks: chain.slice(1),
    });
    expect(await choice.current(JOON)).toMatchObject({ isChosen: false });
  });

  it('falls back on what costs more only where those fallbacks were configured', async () => {
    const fallbacks = ['opus', 'haiku'];
    const { create } = await setUp({ model: 'sonnet', fallbacks });
    const choice = create();
    await choice.switchTo(MINA, 'haiku', ADMIN);
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual([
      'claude-haiku-5-5',
      'claude-sonnet-5-5',
      'claude-opus-5-5',
    ]);
  });

  it('outlives a restart', async () => {
    const { create } = await setUp();
    await create().switchTo(MINA, 'o3', ADMIN);
    expect(idsOf(await create().chainFor(MINA, false))[0]).toBe('o3');
  });

  it('is taken back', async () => {
    const { create } = await setUp();
    const choice = create();
    await choice.switchTo(MINA, 'haiku', ADMIN);
    expect(await choice.useDefault(MINA)).toMatchObject({ id: DEFAULT_MODEL_CHAIN[0] });
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual(DEFAULT_MODEL_CHAIN);
    expect((await choice.current(MINA)).isChosen).toBe(false);
  });

  it('is not made of a name that nobody knows', async () => {
    const { create, settings } = await setUp();
    expect(await create().switchTo(MINA, 'hiaku', ADMIN)).toEqual({
      status: 'unknown',
      near: expect.arrayContaining(['haiku']),
    });
    expect(await settings.getModel(MINA)).toBeUndefined();
  });

  it('is not made of a model without a key', async () => {
    const { create, settings } = await setUp({ keys: ['anthropic'] });
    expect(await create().switchTo(MINA, 'gpt-6-luna', ADMIN)).toMatchObject({
      status: 'no-key',
      model: { id: 'gpt-6-luna', isUsable: false },
    });
    expect(await settings.getModel(MINA)).toBeUndefined();
  });

  it('rests while its provider has no key, and holds again when it has', async () => {
    const { create, keys } = await setUp();
    const choice = create();
    await choice.switchTo(MINA, 'o3', ADMIN);
    keys.delete('openai');
    expect((await choice.current(MINA)).isChosen).toBe(false);
    expect((await choice.chainFor(MINA, false)).map(({ provider }) => provider)).not.toContain('openai');
    keys.add('openai');
    expect(idsOf(await choice.chainFor(MINA, false))[0]).toBe('o3');
  });

  it('is forgotten where the model left the catalog', async () => {
    const { create, settings } = await setUp();
    const gone = { id: 'gone-1', isByAdmin: true };
    await settings.setModel(MINA, gone, Temporal.Instant.from('2026-11-13T06:30:00Z'));
    expect(idsOf(await create().chainFor(MINA, false))).toEqual(DEFAULT_MODEL_CHAIN);
  });
});

describe('the list of models', () => {
  it('says which may be used, with their prices', async () => {
    const list = (await setUp({ keys: ['anthropic'] })).create().list(ADMIN, MAIN_AGENT);
    expect(list.map(({ id }) => id)).toEqual(BUILT_IN_MODELS.map(({ id }) => id));
    for (const { isUsable, provider } of list) expect(isUsable).toBe(provider === 'anthropic');
    const opus = list.find(({ id }) => id === 'claude-opus-5-5');
    expect([opus?.priceUsd?.input.toFixed(), opus?.priceUsd?.output.toFixed()]).toEqual(['4', '20']);
  });

  it('names the offline rules only where there is nothing else', async () => {
    const { create, keys } = await setUp({ keys: [] });
    const choice = create();
    expect(choice.list(ADMIN, MAIN_AGENT)[0]).toMatchObject({
      id: OFFLINE_MODEL.id,
      isUsable: true,
      priceUsd: null,
    });
    keys.add('openai');
    expect(choice.list(ADMIN, MAIN_AGENT).map(({ id }) => id)).not.toContain(OFFLINE_MODEL.id);
  });
});

const offered = (choice: ReturnType<Awaited<ReturnType<typeof setUp>>['create']>) =>
  choice.list(ANYBODY, MAIN_AGENT).map(({ id }) => id);

describe('people who are no administrators', () => {
  it('choose only what costs no more than the configured model, in and out', async () => {
    const { create, settings } = await setUp({ model: 'sonnet' });
    const choice = create();
    const prices = BUILT_IN_MODELS.filter(
      ({ pricing }) => pricing && pricing.inputPerMillion <= 2 && pricing.outputPerMillion <= 10,
    );
    expect(offered(choice)).toEqual(prices.map(({ id }) => id));
    expect(await choice.switchTo(MINA, 'fable', ANYBODY)).toMatchObject({
      status: 'not-allowed',
      model: { id: 'claude-fable-5-1' },
      choices: expect.arrayContaining(['sonnet', 'haiku']) as unknown,
    });
    expect(await settings.getModel(MINA)).toBeUndefined();
    expect(await choice.switchTo(MINA, 'haiku', ANYBODY)).toMatchObject({ status: 'switched' });
    expect(await choice.switchTo(JOON, 'fable', ADMIN)).toMatchObject({ status: 'switched' });
    expect(idsOf(await choice.chainFor(JOON, false))[0]).toBe('claude-fable-5-1');
  });

  it('choose no model whose price is not known, unless it is the configured one', async () => {
    const catalog = BUILT_IN_MODELS.map((model) => (model.id === 'o3' ? { ...model, pricing: null } : model));
    const dear = (await setUp({ model: 'fable', catalog })).create();
    expect(await dear.switchTo(MINA, 'o3', ANYBODY)).toMatchObject({ status: 'not-allowed' });
    const unpriced = (await setUp({ model: 'o3', catalog })).create();
    expect(offered(unpriced)).toEqual(['o3']);
    expect(await unpriced.switchTo(MINA, 'o3', ANYBODY)).toMatchObject({ status: 'switched' });
  });

  it('choose from the list of the operator where there is one, and nothing else', async () => {
    const choice = (await setUp({ model: 'sonnet', choices: ['opus', 'gpt-6-luna'] })).create();
    expect(offered(choice)).toEqual(['claude-opus-5-5', 'claude-sonnet-5-5', 'gpt-6-luna']);
    expect(await choice.switchTo(MINA, 'haiku', ANYBODY)).toMatchObject({ status: 'not-allowed' });
    expect(await choice.switchTo(MINA, 'haiku', ADMIN)).toMatchObject({ status: 'switched' });
    expect(await choice.switchTo(JOON, 'opus', ANYBODY)).toMatchObject({ status: 'switched' });
  });

  it('are told no names that they cannot take', async () => {
    const choice = (await setUp({ model: 'haiku', keys: ['anthropic'] })).create();
    expect(await choice.switchTo(MINA, 'fabel', ANYBODY)).toEqual({ status: 'unknown', near: [] });
    expect(await choice.switchTo(MINA, 'fabel', ADMIN)).toEqual({ status: 'unknown', near: ['fable'] });
    expect(offered(choice)).toEqual(['claude-haiku-5-5']);
  });

  it('get the configured model where an earlier choice is no longer allowed, and the log says so once', async () => {
    const { create, settings, records } = await setUp({ model: 'haiku' });
    const at = Temporal.Instant.from('2026-11-13T06:30:00Z');
    await settings.setModel(MINA, { id: 'claude-fable-5-1', isByAdmin: false }, at);
    await settings.setModel(JOON, { id: 'claude-fable-5-1', isByAdmin: true }, at);
    const choice = create();
    expect(idsOf(await choice.chainFor(MINA, false))).not.toContain('claude-fable-5-1');
    expect(await choice.current(MINA)).toMatchObject({ isChosen: false, model: { id: 'claude-haiku-5-5' } });
    expect(records()).toMatchObject([{ level: 'warn', model: 'claude-fable-5-1', sessionKey: MINA }]);
    expect(idsOf(await choice.chainFor(JOON, false))[0]).toBe('claude-fable-5-1');
  });

  it('are kept to what the agent of the conversation costs', async () => {
    const research = asId<SessionKey>('agent:research:slack:T1:direct:mina');
    const agents = { research: { model: 'haiku' } };
    const choice = (await setUp({ model: 'opus', agents })).create();
    expect(await choice.switchTo(research, 'sonnet', ANYBODY)).toMatchObject({ status: 'not-allowed' });
    expect(await choice.switchTo(MINA, 'sonnet', ANYBODY)).toMatchObject({ status: 'switched' });
  });

  it('cannot be offered a model that nobody knows: the start says where it was set', async () => {
    const { create } = await setUp({ choices: ['hiaku'] });
    expect(create).toThrow(/^models\.choices: There is no model "hiaku"/);
  });
});
