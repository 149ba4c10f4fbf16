import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openToolbox, type ToolboxDeps } from '#src/agent/toolbox.ts';
import { nobodyToAsk } from '#src/agent/tools/approvals.ts';
import type { PolicyRule } from '#src/agent/tools/policy.ts';
import { type AgentId, asId, type SessionKey } from '#src/kernel/ids.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { testTool, toolContext } from '#test/agent/support.ts';
import { msgContext, recordingEvents, recordingLogger } from '#test/support/context.ts';
import { temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const NEVER_ABORTED = new AbortController().signal;

const skillText = (description: string): string =>
  `---\nname: house-view\ndescription: ${description}\n---\nDo as the house does.\n`;

const writeSkill = (directory: string, description: string): void => {
  mkdirSync(join(directory, 'house-view'), { recursive: true });
  writeFileSync(join(directory, 'house-view', 'SKILL.md'), skillText(description));
};

const ofGroup = (name: string, group: Tool['definition']['group']): Tool => {
  const tool = testTool(name);
  return { ...tool, definition: { ...tool.definition, group } };
};

const QUERY = ofGroup('query_my_data', 'data');
const OTHER_QUERY = ofGroup('query_all_data', 'data');

type Settings = Omit<ToolboxDeps['settings'], 'tools'> & ToolboxDeps['settings']['tools'];

const setUp = async (
  { agents, skillDirectories = [], ...tools }: Partial<Settings> = {},
  dataDir = temporaryDir(),
) => {
  const clock = new ManualClock();
  const recorded = recordingEvents();
  const { logger, records } = recordingLogger();
  const hooks = createHooks(logger, clock);
  const toolbox = await openToolbox({
    settings: { tools: { rules: [], groups: {}, ...tools }, agents, skillDirectories },
    dataDir,
    approvals: nobodyToAsk,
    hooks,
    clock,
    events: recorded.events,
    logger,
  });
  onTestFinished(toolbox.skills.stop);
  const call = async (name: string): Promise<string> =>
    (await toolbox.execute({ id: 'c1', name, input: {} }, toolContext, NEVER_ABORTED)).content;
  const sources = () =>
    Object.fromEntries(toolbox.registry.list().map(({ tool, source }) => [tool.definition.name, source]));
  return { ...toolbox, dataDir, hooks, records, call, sources, ...recorded };
};

describe('the skills of a toolbox', () => {
  it('have a place of their own in the data directory from the start, for the operator alone', async () => {
    const { dataDir } = await setUp();
    const found = statSync(join(dataDir, 'skills'));
    expect([found.isDirectory(), found.mode & 0o777]).toEqual([true, 0o700]);
  });

  it('are those that ship with the bot and those that were put there', async () => {
    const dataDir = temporaryDir();
    writeSkill(join(dataDir, 'skills'), 'Of the data directory.');
    const { skills } = await setUp({}, dataDir);
    const names = skills.list().map(({ name }) => name);
    expect(names).toContain('house-view');
    expect(names.length).toBeGreaterThan(1);
  });

  it('of a configured directory go before those of the data directory', async () => {
    const dataDir = temporaryDir();
    const configured = temporaryDir();
    writeSkill(join(dataDir, 'skills'), 'Of the data directory.');
    writeSkill(configured, 'Of the configuration.');
    const { skills } = await setUp({ skillDirectories: [configured] }, dataDir);
    expect(skills.list()).toContainEqual({ name: 'house-view', description: 'Of the configuration.' });
  });

  it('can be read by the model', async () => {
    const dataDir = temporaryDir();
    writeSkill(join(dataDir, 'skills'), 'Of the data directory.');
    const { execute, registerTools } = await setUp({}, dataDir);
    registerTools([]);
    const read = { id: 'c1', name: 'read_skill', input: { name: 'house-view' } };
    expect((await execute(read, toolContext, NEVER_ABORTED)).content).toContain('Do as the house does.');
  });
});

const verdictWith = async (
  settings: Partial<Settings>,
  name = 'query_my_data',
): Promise<string | undefined> => {
  const { registerTools, policies } = await setUp(settings);
  registerTools([QUERY, OTHER_QUERY, testTool('lookup')]);
  return policies.explain(name, msgContext())?.verdict;
};
const rule = (verdict: PolicyRule['verdict'], pattern = 'query_my_data', priority = 0): PolicyRule => ({
  pattern,
  verdict,
  reason: 'said the operator',
  priority,
});

describe('the rules of a toolbox', () => {
  it('let everybody read what is kept about them, though the rest of its group needs a person’s word', async () => {
    expect(await verdictWith({})).toBe('allow');
    expect(await verdictWith({}, 'query_all_data')).toBe('require-approval');
  });

  it.each(['deny', 'require-approval'] as const)(
    'give way to a rule of the operator that says %s',
    async (verdict) => {
      expect(await verdictWith({ rules: [rule(verdict)] })).toBe(verdict);
    },
  );

  it.each(['deny', 'require-approval'] as const)(
    'give way also to one that says %s below all others',
    async (verdict) => {
      expect(await verdictWith({ rules: [rule(verdict, 'query_my_data', -1_000_000)] })).toBe(verdict);
    },
  );

  it('hold for whole groups as the operator set them', async () => {
    expect(await verdictWith({ groups: { finance: 'deny' } }, 'lookup')).toBe('deny');
    expect(await verdictWith({}, 'lookup')).toBe('allow');
  });

  it('are what calls meet, and not only what is explained', async () => {
    const { registerTools, call, payloads } = await setUp({ rules: [rule('deny', 'lookup')] });
    registerTools([testTool('lookup'), QUERY]);
    expect(await call('lookup')).toContain('said the operator');
    expect(await call('query_my_data')).toContain('query_my_data()');
    expect(payloads('tool:policy:deny')).toHaveLength(1);
  });

  it('hold together with the limits of agents, for calls, lists and what is explained', async () => {
    const { registerTools, registry, execute, policies } = await setUp({
      agents: { desk: { tools: { deny: ['lookup'] } } },
    });
    registerTools([testTool('lookup')]);
    const sessionKey = asId<SessionKey>('agent:desk:test:local:direct:mina');
    const call = { id: 'c1', name: 'lookup', input: {} };
    const result = await execute(call, { ...toolContext, sessionKey }, NEVER_ABORTED);
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('The agent "desk"') });
    expect(policies.explain('lookup', msgContext({ sessionKey }))?.reason).toContain('The agent "desk"');
    expect(policies.explain('lookup', msgContext())?.verdict).toBe('allow');
    const listed = registry.definitions(asId<AgentId>('desk')).map(({ name }) => name);
    expect(listed).toEqual(['call_tool', 'find_tools', 'read_skill']);
  });

  it('and limits that fit no tool are told, for whoever wrote them believes that they hold', async () => {
    const { registerTools, records } = await setUp({
      rules: [rule('deny', 'lokup')],
      agents: {
        desk: { tools: { allow: ['lookup', 'group:web', 'look*'], deny: ['find_tools', 'fetch_ulr'] } },
        main: { tools: { allow: ['loookup'] } },
      },
    });
    registerTools([testTool('lookup')]);
    expect(records().map(({ level, message }) => `${level} ${message}`)).toEqual([
      'warn The rule "lokup" in tools.rules fits no tool; is it spelt right?',
      'warn "fetch_ulr" in agents.desk.tools.deny fits no tool; is it spelt right?',
      'warn "loookup" in agents.main.tools.allow fits no tool; is it spelt right?',
    ]);
  });

  it('are explained for every tool there is, and for no other', async () => {
    const { registerTools, policies } = await setUp();
    registerTools([testTool('lookup')]);
    expect(policies.names()).toEqual(['lookup', 'read_skill']);
    expect(policies.explain('unheard_of', msgContext())).toBeUndefined();
  });
});

describe('registering tools', () => {
  it('puts in our own tools, then those of plugins', async () => {
    const { registerTools, sources, call } = await setUp();
    registerTools([testTool('lookup')], [testTool('say_hello')]);
    expect(sources()).toEqual({ lookup: 'built-in', read_skill: 'built-in', say_hello: 'plugin' });
    expect(await call('say_hello')).toContain('say_hello()');
  });
});
