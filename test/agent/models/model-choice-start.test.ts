import { describe, expect, it } from 'vitest';
import { buildModelAliasIndex } from '#src/agent/models/resolve-model.ts';
import { InMemoryModelCatalog } from '#src/agent/models/catalog.ts';
import { BUILT_IN_MODELS } from '#src/agent/models/catalog-data.ts';
import { OFFLINE_MODEL } from '#src/agent/offline/offline-provider.ts';
import { idsOf, MINA, setUp } from './model-choice-support.ts';

const MODEL_SETTING = 'FINCLAW_MODEL (models.defaultModel)';
const FALLBACKS_SETTING = 'FINCLAW_FALLBACKS (models.fallbacks)';

describe('a start', () => {
  it.each([
    [MODEL_SETTING, { model: 'sonet' }],
    [MODEL_SETTING, { model: 'sonet', fallbacks: ['haiku'] }],
    [FALLBACKS_SETTING, { model: 'haiku', fallbacks: ['opus', 'sonet'] }],
    [FALLBACKS_SETTING, { fallbacks: ['sonet'] }],
  ])(
    'fails on a name that nobody knows in %s, with the setting and what was meant',
    async (setting, options) => {
      const { create } = await setUp(options);
      expect(create).toThrow(
        expect.objectContaining({
          name: 'FinClawError',
          code: 'MODEL_UNKNOWN',
          isOperational: true,
          message: expect.stringMatching(/: There is no model "sonet": use one of sonnet\b/),
          details: { near: expect.arrayContaining(['sonnet']) },
        }),
      );
      expect(create).toThrow(`${setting}: There is no model`);
    },
  );

  it('fails on an alias to a name that nobody knows, with the alias', () => {
    const catalog = new InMemoryModelCatalog(BUILT_IN_MODELS);
    const extraAliases = { fine: 'haiku', cheap: 'hiaku' };
    expect(() => buildModelAliasIndex(catalog, { extraAliases, onDuplicate: () => undefined })).toThrow(
      /^models\.aliases\.cheap: There is no model "hiaku": use one of haiku\b/,
    );
  });

  it('fails on a configured model without a key, with the setting and the ways out', async () => {
    const { create } = await setUp({ model: 'gpt-6-luna', keys: ['anthropic'] });
    expect(create).toThrow(
      expect.objectContaining({
        code: 'MODEL_WITHOUT_KEY',
        message: expect.stringMatching(
          /^FINCLAW_MODEL \(models\.defaultModel\): .*gpt-6-luna.*OPENAI_API_KEY.*\/keys add openai.*another model/,
        ),
      }),
    );
  });

  it('goes on with a key that is switched off: the fallbacks answer, and the model itself once it is on', async () => {
    const options = { model: 'gpt-6-luna', fallbacks: ['haiku'], keys: ['anthropic'] } as const;
    const { create, keys } = await setUp({ ...options, switchedOff: ['openai'] });
    const choice = create();
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual(['claude-haiku-5-5']);
    expect(choice.configuredModels().map(({ id }) => id)).toEqual(['gpt-6-luna', 'claude-haiku-5-5']);
    keys.add('openai');
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual(['gpt-6-luna', 'claude-haiku-5-5']);
  });

  it('goes on also where every key is switched off: the offline rules answer', async () => {
    const { create } = await setUp({ model: 'haiku', keys: [], switchedOff: ['anthropic'] });
    expect(create().defaultModel()).toBe(OFFLINE_MODEL);
  });

  it('does not mind a fallback without a key', async () => {
    const { create } = await setUp({ fallbacks: ['gpt-6-luna'], keys: ['anthropic'] });
    expect(idsOf(await create().chainFor(MINA, false))).toEqual(['claude-opus-5-5']);
  });

  it('says what an alias was taken for', async () => {
    const { create, recorded } = await setUp({ model: 'opus', fallbacks: ['gpt-6-luna'] });
    create();
    expect(recorded.payloads('model:resolve')).toEqual([{ alias: 'opus', modelId: 'claude-opus-5-5' }]);
  });
});
