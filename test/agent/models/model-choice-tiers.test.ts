import { describe, expect, it } from 'vitest';
import { BUILT_IN_MODELS } from '#src/agent/models/catalog-data.ts';
import { ADMIN, MINA, setUp } from './model-choice-support.ts';

const tiers = (tierOf: Readonly<Record<string, 'low' | 'medium' | 'high'>>) =>
  BUILT_IN_MODELS.map((model) => ({
    ...model,
    capabilities: {
      ...model.capabilities,
      numericalReasoningTier: tierOf[model.id] ?? model.capabilities.numericalReasoningTier,
    },
  }));
/** Each with whose place it takes, where it counts worse. */
const standIns = async (options: Parameters<typeof setUp>[0], name?: string) => {
  const choice = (await setUp(options)).create();
  if (name !== undefined) await choice.switchTo(MINA, name, ADMIN);
  const chain = await choice.chainFor(MINA, false);
  return chain.map(({ modelId, standsInFor }) => [modelId, standsInFor?.id].filter(Boolean).join(' for '));
};

describe('how well a model counts', () => {
  it('orders what nobody ordered, and marks what counts worse than the first', async () => {
    const catalog = tiers({ 'claude-sonnet-5-5': 'low', 'gpt-6-luna': 'medium' });
    expect(await standIns({ catalog })).toEqual([
      'claude-opus-5-5',
      'gpt-6.1-sol',
      'claude-haiku-5-5 for claude-opus-5-5',
      'gpt-6-luna for claude-opus-5-5',
      'claude-sonnet-5-5 for claude-opus-5-5',
    ]);
    expect(await standIns({ catalog, model: 'haiku' }, 'sonnet')).toEqual([
      'claude-sonnet-5-5',
      'claude-haiku-5-5',
      'gpt-6-luna',
    ]);
  });

  it('does not change the order that the operator wrote, and marks there too', async () => {
    const fallbacks = ['luna', 'sonnet', 'haiku'];
    expect(await standIns({ model: 'opus', fallbacks })).toEqual([
      'claude-opus-5-5',
      'gpt-6-luna for claude-opus-5-5',
      'claude-sonnet-5-5',
      'claude-haiku-5-5 for claude-opus-5-5',
    ]);
  });

  it('is compared with the configured or chosen model also where that cannot answer at all', async () => {
    const options = {
      model: 'gpt',
      fallbacks: ['haiku'],
      keys: ['anthropic'],
      switchedOff: ['openai'],
    } as const;
    expect(await standIns(options)).toEqual(['claude-haiku-5-5 for gpt-6.1-sol']);
    const { create, keys } = await setUp({ model: 'haiku', fallbacks: [] });
    const choice = create();
    await choice.switchTo(MINA, 'gpt', ADMIN);
    keys.delete('openai');
    expect((await choice.chainFor(MINA, false))[0]?.standsInFor?.id).toBe('gpt-6.1-sol');
    keys.clear();
    expect(await choice.chainFor(MINA, false)).toEqual([
      expect.not.objectContaining({ standsInFor: expect.anything() }),
    ]);
  });
});
