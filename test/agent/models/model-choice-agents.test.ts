import { describe, expect, it } from 'vitest';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { idsOf, JOON, MINA, setUp } from './model-choice-support.ts';

const RESEARCH = asId<SessionKey>('agent:research:slack:T1:direct:mina');
const HAIKU = 'claude-haiku-5-5';

describe('the models of an agent', () => {
  it('answer in its conversations, and nowhere else', async () => {
    const { create } = await setUp({
      model: 'opus',
      fallbacks: [],
      agents: { research: { model: 'haiku', fallbacks: ['gpt-6-luna'] } },
    });
    const choice = create();
    expect(idsOf(await choice.chainFor(RESEARCH, false))).toEqual([HAIKU, 'gpt-6-luna']);
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual(['claude-opus-5-5']);
    expect(await choice.current(RESEARCH)).toMatchObject({
      model: { id: HAIKU },
      isChosen: false,
      fallbacks: ['gpt-6-luna'],
    });
    expect(choice.defaultModel().id).toBe('claude-opus-5-5');
  });

  it('of the main one go before those that are set for all, and are also those of an agent that is gone', async () => {
    const { create } = await setUp({ model: 'opus', fallbacks: [], agents: { main: { model: 'haiku' } } });
    const choice = create();
    expect(idsOf(await choice.chainFor(MINA, false))).toEqual([HAIKU]);
    expect(idsOf(await choice.chainFor(RESEARCH, false))).toEqual([HAIKU]);
    expect(choice.defaultModel().id).toBe(HAIKU);
  });

  it.each([
    ['a model, with the fallbacks of all', { model: 'haiku' }, [HAIKU, 'gpt-6-luna']],
    ['fallbacks, behind the model of all', { fallbacks: ['haiku'] }, ['claude-sonnet-5-5', HAIKU]],
    ['no fallbacks on purpose', { fallbacks: [] }, ['claude-sonnet-5-5']],
    ['nothing', {}, ['claude-sonnet-5-5', 'gpt-6-luna']],
  ])('may be set in part: %s', async (_what, research, expected) => {
    const { create } = await setUp({ model: 'sonnet', fallbacks: ['gpt-6-luna'], agents: { research } });
    expect(idsOf(await create().chainFor(RESEARCH, false))).toEqual(expected);
  });

  it('fall back on none that costs more, where nobody wrote down what to fall back on', async () => {
    const { create } = await setUp({ model: 'opus', agents: { research: { model: 'haiku' } } });
    const choice = create();
    expect(idsOf(await choice.chainFor(RESEARCH, false))).not.toContain('claude-opus-5-5');
    expect(idsOf(await choice.chainFor(RESEARCH, false))[0]).toBe(HAIKU);
    expect(idsOf(await choice.chainFor(MINA, false))).toContain('claude-opus-5-5');
  });

  it('stand behind the one that was chosen in the conversation, until it is taken back', async () => {
    const { create } = await setUp({
      model: 'opus',
      fallbacks: [],
      agents: { research: { model: 'haiku', fallbacks: ['gpt-6-luna'] } },
    });
    const choice = create();
    expect(await choice.switchTo(RESEARCH, 'sonnet', { isAdmin: true })).toMatchObject({
      status: 'switched',
    });
    expect(idsOf(await choice.chainFor(RESEARCH, false))).toEqual(['claude-sonnet-5-5', HAIKU, 'gpt-6-luna']);
    expect(idsOf(await choice.chainFor(JOON, false))).toEqual(['claude-opus-5-5']);
    expect(await choice.useDefault(RESEARCH)).toMatchObject({ id: HAIKU });
    expect(idsOf(await choice.chainFor(RESEARCH, false))).toEqual([HAIKU, 'gpt-6-luna']);
  });

  it('are all looked at by a start, each once', async () => {
    const { create } = await setUp({
      model: 'opus',
      fallbacks: ['haiku'],
      agents: { research: { model: 'haiku' }, desk: { model: 'gpt-6-luna' } },
    });
    expect(
      create()
        .configuredModels()
        .map(({ id }) => id),
    ).toEqual(['claude-opus-5-5', HAIKU, 'gpt-6-luna']);
  });
});

describe('a start', () => {
  it.each([
    ['agents.research.model', { research: { model: 'sonet' } }],
    ['agents.research.fallbacks', { research: { fallbacks: ['opus', 'sonet'] } }],
    ['agents.main.model', { main: { model: 'sonet' } }],
  ])('fails on a name that nobody knows in %s', async (setting, agents) => {
    const { create } = await setUp({ model: 'opus', agents });
    expect(create).toThrow(
      expect.objectContaining({
        code: 'MODEL_UNKNOWN',
        isOperational: true,
        message: expect.stringContaining(`${setting}: There is no model "sonet": use one of sonnet`),
      }),
    );
  });

  it('fails on the model of an agent without a key, with the setting and the ways out', async () => {
    const { create } = await setUp({ agents: { research: { model: 'gpt-6-luna' } }, keys: ['anthropic'] });
    expect(create).toThrow(
      expect.objectContaining({
        code: 'MODEL_WITHOUT_KEY',
        message: expect.stringMatching(
          /^agents\.research\.model: .*gpt-6-luna.*OPENAI_API_KEY.*\/keys add openai.*another model/,
        ),
      }),
    );
  });

  it('says which models that were set cannot be used now, where, and what answers instead', async () => {
    const { create, keys } = await setUp({
      model: 'opus',
      fallbacks: ['haiku'],
      agents: { research: { model: 'gpt-6-luna' }, desk: {} },
      keys: ['anthropic'],
      switchedOff: ['openai'],
    });
    const choice = create();
    expect(choice.setAside()).toMatchObject([
      { setting: 'agents.research.model', model: { id: 'gpt-6-luna' }, instead: { id: HAIKU } },
    ]);
    expect(idsOf(await choice.chainFor(RESEARCH, false))).toEqual([HAIKU]);
    keys.add('openai');
    expect(choice.setAside()).toEqual([]);
  });
});
