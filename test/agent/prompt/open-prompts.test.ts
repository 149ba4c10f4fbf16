import { describe, expect, it } from 'vitest';
import { openPrompts, type PromptDeps } from '#src/agent/prompt/open-prompts.ts';
import type { ModelWindow } from '#src/agent/memory/window/model-window.ts';
import { createAgentLimits } from '#src/agent/tools/agent-limits.ts';
import type { PipelineMsgContext } from '#src/kernel/agent/execution.ts';
import { type AgentId, asId, type ChannelId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import { message } from '#test/agent/loop/adapter-support.ts';
import { AGENT, SESSION, testTool } from '#test/agent/support.ts';
import { sectionOf } from '#test/agent/prompt/support.ts';
import { recordingEvents } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';

const LATER_SKILL = { name: 'later-skill', description: 'It came up meanwhile.' };
const ofGroup = (tool: Tool, group: Tool['definition']['group']): Tool => ({
  ...tool,
  definition: { ...tool.definition, group },
});

const LARGE = { isSmall: false, toolTokens: Infinity };

const setUp = (special: Partial<PromptDeps> = {}) => {
  const clock = new ManualClock();
  const registry = registryOf({ clock, events: recordingEvents().events }, [testTool('lookup')]);
  const set: { profile: UserProfile } = { profile: {} };
  const askedFor: string[] = [];
  const skills: { readonly name: string; readonly description: string }[] = [];
  const prompts = openPrompts({
    tools: registry,
    skills: { list: () => skills },
    profiles: {
      get: async (channelId, userId) => {
        askedFor.push(`${channelId}:${userId}`);
        return { ...set.profile };
      },
    },
    instructions: undefined,
    locale: 'auto',
    clock,
    ...special,
  });
  const promptFor = async (
    overrides: Partial<PipelineMsgContext> = {},
    window: Pick<ModelWindow, 'isSmall' | 'toolTokens'> = LARGE,
  ): Promise<string> => (await prompts.headFor(message('1', 'hi', overrides), window)).systemPrompt;
  return { prompts, promptFor, registry, set, skills, askedFor };
};

const OTHER_SESSION = asId<SessionKey>('agent:main:console:local:group:room');
const HERE = message('1', 'hi');

const person = (prompt: string): string => sectionOf(prompt, 'The person');

describe('what a person told about themselves', () => {
  it('is in the prompt of a direct chat with them', async () => {
    const { promptFor, set, askedFor } = setUp();
    set.profile = { riskTolerance: 'aggressive', timeZone: 'Asia/Tokyo', locale: 'ko' };
    const prompt = await promptFor({
      channelId: asId<ChannelId>('discord'),
      senderId: asId<UserId>('mina'),
    });
    expect(person(prompt)).toContain('risk tolerance: aggressive');
    expect(person(prompt)).toContain('Asia/Tokyo');
    expect(sectionOf(prompt, 'Language')).toContain('This person chose Korean');
    expect(askedFor).toEqual(['discord:mina']);
  });

  it.each(['group', 'channel'] as const)(
    'is not even looked up in a %s, where others read along',
    async (chatType) => {
      const { promptFor, set, askedFor } = setUp();
      set.profile = { riskTolerance: 'aggressive', locale: 'ko' };
      const prompt = await promptFor({ chatType });
      expect(prompt).not.toMatch(/aggressive|chose Korean/);
      expect(person(prompt)).toContain('You know nothing personal about the people here.');
      expect(askedFor).toEqual([]);
    },
  );
});

describe('the prompt of a conversation', () => {
  it.each(['direct', 'group'] as const)(
    'of a %s chat stays as it was, though tools and skills came up meanwhile',
    async (chatType) => {
      const { promptFor, registry, skills } = setUp();
      const first = await promptFor({ chatType });
      registry.register(testTool('later_tool'), 'plugin');
      skills.push(LATER_SKILL);
      expect(await promptFor({ chatType })).toBe(first);
    },
  );

  it('is built anew when its person changed their profile, and is then frozen again', async () => {
    const { promptFor, set, skills } = setUp();
    const before = await promptFor();
    set.profile = { riskTolerance: 'conservative' };
    const after = await promptFor();
    expect(person(before)).not.toContain('conservative');
    expect(person(after)).toContain('risk tolerance: conservative');
    skills.push(LATER_SKILL);
    expect(await promptFor()).toBe(after);
    set.profile = {};
    expect(await promptFor()).toContain('later-skill');
  });

  it('is not built anew for a group whenever somebody changes theirs', async () => {
    const { promptFor, set, skills } = setUp();
    const first = await promptFor({ chatType: 'group' });
    set.profile = { riskTolerance: 'conservative' };
    skills.push(LATER_SKILL);
    expect(await promptFor({ chatType: 'group' })).toBe(first);
  });

  it('is of that conversation alone', async () => {
    const { promptFor, skills } = setUp();
    const first = await promptFor();
    skills.push(LATER_SKILL);
    const elsewhere = await promptFor({ sessionKey: asId<SessionKey>('elsewhere') });
    expect(elsewhere).toContain('later-skill');
    expect(await promptFor()).toBe(first);
  });

  it('is built anew when the conversation was forgotten', async () => {
    const { promptFor, prompts, skills } = setUp();
    await promptFor();
    skills.push(LATER_SKILL);
    prompts.forget(SESSION);
    expect(await promptFor()).toContain('later-skill');
  });

  it('says what the operator set: instructions, and a language that holds for all', async () => {
    const { promptFor } = setUp({ instructions: 'Mention the house view.', locale: 'ko' });
    const prompt = await promptFor();
    expect(prompt).toContain('Mention the house view.');
    expect(sectionOf(prompt, 'Language')).toContain('Always answer in Korean');
    expect(await setUp().promptFor()).not.toContain('Instructions of the operator');
  });

  it('tells of tools on demand only where there are some of their group', async () => {
    const { promptFor, registry } = setUp();
    expect(sectionOf(await promptFor(), 'Tools')).not.toMatch(/^- (?:data|system): /m);
    registry.register(ofGroup(testTool('later_tool'), 'data'), 'plugin');
    const prompt = await promptFor({ sessionKey: asId<SessionKey>('elsewhere') });
    expect(sectionOf(prompt, 'Tools')).toMatch(/^- data: /m);
    expect(sectionOf(prompt, 'Tools')).not.toMatch(/^- system: /m);
  });
});

const DESK = asId<AgentId>('desk');
const AT_DESK = { agentId: DESK, sessionKey: asId<SessionKey>('agent:desk:console:local:direct:me') };

describe('the prompt of an agent', () => {
  const agents = { desk: { instructions: 'You serve the trading desk.' } };

  it('has its own instructions behind those for all, and no other has them', async () => {
    const { promptFor } = setUp({ instructions: 'Mention the house view.', agents });
    expect(await promptFor(AT_DESK)).toContain(
      '<operator>\nMention the house view.\n\nYou serve the trading desk.\n</operator>',
    );
    const others = await promptFor();
    expect(others).toContain('<operator>\nMention the house view.\n</operator>');
    expect(others).not.toContain('trading desk');
  });

  it('has them also where there are none for all, and where it is only looked at', async () => {
    const { promptFor, prompts } = setUp({ agents });
    expect(await promptFor(AT_DESK)).toContain('<operator>\nYou serve the trading desk.\n</operator>');
    expect(await promptFor()).not.toContain('<operator>');
    expect(prompts.of(asId<SessionKey>('agent:desk:elsewhere'), DESK, HERE, LARGE).systemPrompt).toContain(
      'trading desk',
    );
    expect(
      prompts.of(asId<SessionKey>('agent:main:elsewhere'), AGENT, HERE, LARGE).systemPrompt,
    ).not.toContain('trading desk');
  });

  it('tells of the tools that it may use, and of skills only where it can read them', async () => {
    const limited = { desk: { tools: { deny: ['lookup', 'plugged', 'read_skill'] } } };
    const { promptFor, skills } = setUp({
      agents: limited,
      tools: registryOf(
        {
          clock: new ManualClock(),
          events: recordingEvents().events,
          agents: createAgentLimits(limited),
        },
        [testTool('lookup'), testTool('other'), ofGroup(testTool('plugged'), 'custom')],
      ),
    });
    skills.push(LATER_SKILL);
    const prompt = await promptFor(AT_DESK);
    expect(sectionOf(prompt, 'Tools')).toContain('- other:');
    expect(sectionOf(prompt, 'Tools')).not.toMatch(/^- (?:lookup|custom):/m);
    expect(prompt).not.toContain('later-skill');
    const others = await promptFor();
    expect(sectionOf(others, 'Tools')).toMatch(/^- custom:/m);
    expect(sectionOf(others, 'Tools')).toMatch(/^- lookup:/m);
    expect(others).toContain('later-skill');
  });
});

describe('looking at the prompt of a conversation', () => {
  it('shows the one that is in use', async () => {
    const { promptFor, prompts, set, skills } = setUp();
    set.profile = { riskTolerance: 'aggressive' };
    const prompt = await promptFor();
    skills.push(LATER_SKILL);
    expect(prompts.of(SESSION, AGENT, HERE, LARGE).systemPrompt).toBe(prompt);
  });

  it('shows what would stand there if it began now, and freezes nothing', async () => {
    const { promptFor, prompts, skills } = setUp();
    const shown = prompts.of(SESSION, asId<AgentId>('analyst'), HERE, LARGE).systemPrompt;
    expect(shown).toContain('agent "analyst"');
    expect(shown).not.toContain('later-skill');
    skills.push(LATER_SKILL);
    expect(prompts.of(SESSION, AGENT, HERE, LARGE).systemPrompt).toContain('later-skill');
    expect(await promptFor()).toContain('later-skill');
    expect(prompts.of(OTHER_SESSION, AGENT, { ...HERE, chatType: 'group' }, LARGE).systemPrompt).toContain(
      'A shared chat',
    );
  });
});
