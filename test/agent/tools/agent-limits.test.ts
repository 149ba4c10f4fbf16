import { describe, expect, it } from 'vitest';
import { createAgentLimits } from '#src/agent/tools/agent-limits.ts';
import { BUILT_IN_GROUPS } from '#src/agent/tools/tool-groups.ts';
import { createToolPolicies, type PolicyRule } from '#src/agent/tools/policy.ts';
import type { AgentSettings } from '#src/kernel/agent/agent-settings.ts';
import { type AgentId, asId, type SessionKey } from '#src/kernel/ids.ts';
import type { Tool, ToolGroupId } from '#src/kernel/agent/tool.ts';
import { testTool } from '#test/agent/support.ts';
import { msgContext, recordingEvents } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

type Limits = AgentSettings['tools'];

const NEVER_ABORTED = new AbortController().signal;
const MAIN = asId<AgentId>('main');
const DESK = asId<AgentId>('desk');
const DESK_SESSION = asId<SessionKey>('agent:desk:console:local:direct:me');

const ofGroup = (name: string, group: ToolGroupId): Tool => {
  const tool = testTool(name);
  return { ...tool, definition: { ...tool.definition, group } };
};

/** Four that the model is told of, and three on demand; one of each is always usable. */
const TOOLS = [
  ofGroup('get_quote', 'finance'),
  ofGroup('get_datetime', 'system'),
  ofGroup('read_skill', 'finance'),
  ofGroup('fetch_url', 'web'),
  ofGroup('fetch_feed', 'web'),
  ofGroup('query_my_data', 'data'),
  ofGroup('plugged', 'custom'),
];

const ALL_LISTED = ['call_tool', 'fetch_feed', 'fetch_url', 'find_tools', 'get_quote', 'read_skill'];

/** A registry in which the agent "desk" has these limits, and the main one none unless they are given. */
const setUp = (tools: Limits, rules: readonly PolicyRule[] = [], main?: Limits) => {
  const agents = createAgentLimits({ desk: { tools }, main: { tools: main } });
  const recorded = recordingEvents();
  const policy = { rules, groups: BUILT_IN_GROUPS, agents };
  const registry = registryOf({ clock: new ManualClock(), events: recorded.events, ...policy }, TOOLS);
  const call = async (name: string, input: unknown = {}, sessionKey = DESK_SESSION): Promise<string> =>
    (await registry.execute({ id: 'c1', name, input }, toolContextOf({ sessionKey }), NEVER_ABORTED)).content;
  const listed = (agentId = DESK) => registry.definitions(agentId).map(({ name }) => name);
  const onDemand = (agentId = DESK) => registry.onDemand(agentId).map(({ tool }) => tool.definition.name);
  const explain = (name: string, sessionKey = DESK_SESSION) =>
    createToolPolicies({ registry, ...policy }).explain(name, msgContext({ sessionKey }));
  return { registry, agents, call, listed, onDemand, explain, ...recorded };
};

const ALWAYS = ['call_tool', 'find_tools', 'read_skill'];

describe('what the model of an agent is told of', () => {
  everyRow<[string, Limits, readonly string[], readonly string[]]>([
    ['all without limits', undefined, ALL_LISTED, ['get_datetime', 'plugged', 'query_my_data']],
    [
      'all but what is denied',
      { deny: ['fetch_url'] },
      ALL_LISTED.filter((name) => name !== 'fetch_url'),
      ['get_datetime', 'plugged', 'query_my_data'],
    ],
    [
      'nothing of a denied pattern',
      { deny: ['fetch_*', '*_my_*'] },
      [...ALWAYS, 'get_quote'].toSorted(),
      ['get_datetime', 'plugged'],
    ],
    [
      'nothing of a denied group',
      { deny: ['group:web', 'group:data'] },
      [...ALWAYS, 'get_quote'].toSorted(),
      ['get_datetime', 'plugged'],
    ],
    [
      'only what is allowed',
      { allow: ['get_quote', 'plugged'] },
      [...ALWAYS, 'get_quote'].toSorted(),
      ['get_datetime', 'plugged'],
    ],
    [
      'an allowed group',
      { allow: ['group:web'] },
      [...ALWAYS, 'fetch_feed', 'fetch_url'].toSorted(),
      ['get_datetime'],
    ],
    [
      'an allowed group without what is denied in it',
      { allow: ['group:web'], deny: ['fetch_url'] },
      [...ALWAYS, 'fetch_feed'].toSorted(),
      ['get_datetime'],
    ],
    ['what is always usable where nothing is allowed', { allow: [] }, ALWAYS, ['get_datetime']],
    [
      'what is always usable where everything is denied',
      { deny: ['*', 'group:*', 'get_date*'] },
      ALWAYS,
      ['get_datetime'],
    ],
    [
      'not even that where it is denied by name',
      { allow: [], deny: ['get_datetime', 'read_skill'] },
      ['call_tool', 'find_tools'],
      [],
    ],
    [
      'nothing on demand without the way to it',
      { deny: ['find_tools'] },
      ALL_LISTED.filter((name) => name !== 'find_tools'),
      [],
    ],
  ])('is %s', (_what, limits, listed, onDemand) => {
    const it = setUp(limits);
    expect(it.listed()).toEqual(listed);
    expect(it.onDemand()).toEqual(onDemand);
    expect([it.listed(MAIN), it.onDemand(MAIN)]).toEqual([
      ALL_LISTED,
      ['get_datetime', 'plugged', 'query_my_data'],
    ]);
  });

  it('is the same list every time, until a tool is registered', () => {
    const { registry, listed } = setUp({ deny: ['fetch_*'] });
    const first = registry.definitions(DESK);
    expect(registry.definitions(DESK)).toBe(first);
    expect(registry.definitions(MAIN)).not.toBe(first);
    registry.register(testTool('get_news'), 'plugin');
    registry.register(testTool('fetch_page'), 'plugin');
    expect(listed()).toEqual(['call_tool', 'find_tools', 'get_news', 'get_quote', 'read_skill']);
  });

  it('holds only the tools it may use, also where it looks for more or names one that is none', async () => {
    const { call } = setUp({ deny: ['plugged', 'fetch_url'] });
    const found = await call('find_tools');
    expect(found).toContain('query_my_data');
    expect(found).not.toContain('plugged');
    const unknown = await call('get_weather');
    expect(unknown).toContain('There is no tool "get_weather". Available: fetch_feed, get_datetime');
    expect(unknown).not.toMatch(/plugged|fetch_url/);
    expect(await call('find_tools', {}, asId<SessionKey>('agent:main:x'))).toContain('plugged');
  });
});

describe('the limits of the main agent', () => {
  it('are those of its own conversations alone', async () => {
    const { call, listed, onDemand } = setUp(undefined, [], { allow: ['get_quote'] });
    expect([listed(), onDemand()]).toEqual([ALL_LISTED, ['get_datetime', 'plugged', 'query_my_data']]);
    expect(listed(MAIN)).toEqual([...ALWAYS, 'get_quote'].toSorted());
    expect(await call('find_tools')).toContain('plugged');
    expect(await call('find_tools', {}, asId<SessionKey>('agent:main:x'))).not.toContain('plugged');
  });
});

describe('a tool that an agent may not use', () => {
  const WHY = 'The agent "desk" may not use this tool: its setting tools.deny has "fetch_*".';

  it('is not called, neither directly nor by the way to others, and the model is told why', async () => {
    const { call, payloads, names } = setUp({ deny: ['fetch_*'] });
    const refusal = `The tool fetch_url may not be used here: ${WHY} (global-deny). Do not try again.`;
    expect(await call('fetch_url')).toBe(refusal);
    expect(await call('call_tool', { name: 'fetch_url', input: {} })).toBe(refusal);
    expect(payloads('tool:policy:deny')).toEqual([
      { name: 'fetch_url', reason: WHY },
      { name: 'fetch_url', reason: WHY },
    ]);
    expect(names()).not.toContain('tool:execute:start');
    expect(await call('fetch_url', {}, asId<SessionKey>('agent:main:x'))).toContain('fetch_url()');
    expect(await call('get_quote')).toContain('get_quote()');
  });

  it('is not called either where it is none of those that are allowed', async () => {
    const { call } = setUp({ allow: ['get_quote'] });
    expect(await call('fetch_url')).toContain(
      'The agent "desk" may not use this tool: nothing in its setting tools.allow fits it. (global-deny)',
    );
    expect(await call('get_datetime')).not.toContain('may not be used');
  });

  it('stays so whatever the rules allow', async () => {
    const allow: PolicyRule = { pattern: 'fetch_url', verdict: 'allow', priority: 1_000 };
    const forMe: PolicyRule = { ...allow, users: ['me'] };
    const { call, explain } = setUp({ deny: ['fetch_*'] }, [allow, forMe]);
    expect(await call('fetch_url')).toContain(WHY);
    expect(explain('fetch_url')?.verdict).toBe('deny');
  });

  it('is explained with the agent, in conversations of that agent', () => {
    const { explain } = setUp({ deny: ['fetch_*'] });
    expect(explain('fetch_url')).toMatchObject({
      verdict: 'deny',
      decidingStage: 'global-deny',
      reason: WHY,
      stages: [{ stage: 'global-deny', verdict: 'deny', reason: WHY }],
    });
    const elsewhere = explain('fetch_url', asId<SessionKey>('agent:main:x'));
    expect(elsewhere).toMatchObject({ verdict: 'allow' });
    expect(elsewhere?.stages).toHaveLength(9);
  });

  it.each(['find_tools', 'call_tool'])('may be %s itself', async (name) => {
    const { call, listed } = setUp({ deny: [name] });
    expect(listed()).not.toContain(name);
    expect(await call(name, { name: 'query_my_data' })).toBe(
      `The tool ${name} may not be used here: The agent "desk" may not use this tool: its setting tools.deny has "${name}". (global-deny). Do not try again.`,
    );
    expect(await call(name, { name: 'plugged' }, asId<SessionKey>('agent:main:x'))).not.toContain('may not');
  });
});
