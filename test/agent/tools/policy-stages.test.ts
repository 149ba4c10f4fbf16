import { describe, expect, it } from 'vitest';
import { groupsWith } from '#src/agent/tools/tool-groups.ts';
import {
  evaluateToolPolicy,
  POLICY_STAGES,
  type PolicyContext,
  type PolicyRule,
} from '#src/agent/tools/policy.ts';
import { everyRow } from '#test/support/every-row.ts';
import { contextOf, ruleOf } from './policy-support.ts';

const STAGES = [
  'global-deny',
  'global-allow',
  'user-deny',
  'user-allow',
  'channel-policy',
  'group-policy',
  'tool-policy',
  'finance-safety',
  'default-policy',
];

type Outcome = readonly [verdict: string, stage: string];
const outcome = (rules: readonly PolicyRule[], ctx: PolicyContext = contextOf()): Outcome => {
  const { finalVerdict, decidingStage } = evaluateToolPolicy(ctx, rules);
  return [finalVerdict, decidingStage];
};

const groupReason = (group: 'system' | 'finance'): string | undefined =>
  evaluateToolPolicy(contextOf({ group }), []).stageResults.find(({ stage }) => stage === 'group-policy')
    ?.reason;

describe('the stages of the tool policy', () => {
  it('are nine, asked in their order, also when every one of them allows or is silent', () => {
    expect(POLICY_STAGES.map(({ name }) => name)).toEqual(STAGES);
    const { stageResults } = evaluateToolPolicy(contextOf(), [
      ruleOf('*', 'allow'),
      ruleOf('*', 'allow', { users: ['U1'] }),
      ruleOf('*', 'allow', { channels: ['discord'] }),
      ruleOf('group:finance', 'allow'),
      ruleOf('get_quote', 'allow'),
    ]);
    expect(stageResults.map(({ stage, verdict }) => [stage, verdict])).toEqual([
      ['global-deny', 'continue'],
      ['global-allow', 'allow'],
      ['user-deny', 'continue'],
      ['user-allow', 'allow'],
      ['channel-policy', 'allow'],
      ['group-policy', 'allow'],
      ['tool-policy', 'allow'],
      ['finance-safety', 'continue'],
      ['default-policy', 'allow'],
    ]);
  });

  it('end with the one that denies', () => {
    const { stageResults } = evaluateToolPolicy(contextOf(), [
      ruleOf('get_quote', 'require-approval'),
      ruleOf('*', 'deny', { channels: ['discord'] }),
    ]);
    expect(stageResults.map(({ stage }) => stage)).toEqual(STAGES.slice(0, 5));
  });

  it('allow what nothing objects to', () => {
    expect(outcome([])).toEqual(['allow', 'default-policy']);
  });

  everyRow<[string, PolicyRule]>([
    ['global-deny', ruleOf('get_*', 'deny')],
    ['user-deny', ruleOf('get_quote', 'deny', { users: ['U1'] })],
    ['user-deny', ruleOf('group:finance', 'deny', { roles: ['analyst'] })],
    ['user-deny', ruleOf('*', 'deny', { users: ['U1'], channels: ['discord'] })],
    ['channel-policy', ruleOf('get_quote', 'deny', { channels: ['discord'] })],
    ['channel-policy', ruleOf('group:*', 'deny', { channels: ['discord'] })],
    ['group-policy', ruleOf('group:finance', 'deny')],
    ['group-policy', ruleOf('group:*', 'deny')],
    ['tool-policy', ruleOf('get_quote', 'deny')],
  ])('deny in %s by a rule of its kind: %o', (stage, rule) => {
    expect(outcome([rule])).toEqual(['deny', stage]);
  });

  it.each<[string, Omit<PolicyRule, 'verdict'>]>([
    ['global-allow', ruleOf('get_*', 'allow')],
    ['user-allow', ruleOf('*', 'allow', { users: ['U1'] })],
    ['user-allow', ruleOf('get_quote', 'allow', { roles: ['analyst'] })],
    ['channel-policy', ruleOf('*', 'allow', { channels: ['discord'] })],
    ['group-policy', ruleOf('group:finance', 'allow')],
    ['tool-policy', ruleOf('get_quote', 'allow')],
  ])('allow, or ask for approval, in %s by a rule of its kind: %o', (stage, rule) => {
    expect(outcome([{ ...rule, verdict: 'allow' }])).toEqual(['allow', stage]);
    expect(outcome([{ ...rule, verdict: 'require-approval' }])).toEqual(['require-approval', stage]);
  });

  it('keep tools for administrators from everybody else', () => {
    const tool = { adminsOnly: true };
    expect(outcome([], contextOf(tool))).toEqual(['deny', 'user-deny']);
    expect(outcome([], contextOf(tool, { isAdmin: true }))).toEqual(['allow', 'default-policy']);
  });

  it('keep personal data out of chats in which others read along', () => {
    const tool = { accessesSensitiveData: true };
    expect(outcome([], contextOf(tool))).toEqual(['allow', 'default-policy']);
    for (const chatType of ['group', 'channel'] as const)
      expect(outcome([], contextOf(tool, { chatType }))).toEqual(['deny', 'channel-policy']);
  });

  it('hold to what the group of a tool does by default', () => {
    const groups = groupsWith({ web: 'deny' });
    const verdictOf = (group: PolicyContext['toolDefinition']['group']): Outcome => {
      const { finalVerdict, decidingStage } = evaluateToolPolicy(contextOf({ group }), [], groups);
      return [finalVerdict, decidingStage];
    };
    expect(verdictOf('web')).toEqual(['deny', 'group-policy']);
    expect(verdictOf('data')).toEqual(['require-approval', 'group-policy']);
    expect(verdictOf('communication')).toEqual(['allow', 'default-policy']);
  });

  it('ask a person about a tool of a group that nobody defined', () => {
    const { finalVerdict, decidingStage } = evaluateToolPolicy(contextOf(), [], []);
    expect([finalVerdict, decidingStage]).toEqual(['require-approval', 'group-policy']);
  });

  it('ask for approval where the tool itself does', () => {
    expect(outcome([], contextOf({ requiresApproval: true }))).toEqual(['require-approval', 'tool-policy']);
  });

  it('ask for approval of what changes something for good, and of a loop', () => {
    const expected = ['require-approval', 'finance-safety'];
    expect(outcome([], contextOf({ isTransactional: true }))).toEqual(expected);
    const looping = contextOf({}, { isLooping: 'called five times' });
    expect(outcome([], looping)).toEqual(expected);
    expect(evaluateToolPolicy(looping, []).reason).toBe('called five times');
    const both = contextOf({ isTransactional: true }, { isLooping: 'called five times' });
    expect(evaluateToolPolicy(both, []).reason).toMatch(/changes something.*called five times/);
  });
});

describe('the reasons of the tool policy', () => {
  it('name the pattern of the rule and its own reason', () => {
    const { reason } = evaluateToolPolicy(contextOf(), [
      ruleOf('get_*', 'deny', { reason: 'markets are closed' }),
    ]);
    expect(reason).toBe('The rule "get_*" (priority 0) denies this tool: markets are closed');
  });

  it('do not name the people and chats of a rule: the model reads them too', () => {
    const rule = ruleOf('get_*', 'deny', { users: ['U1'], channels: ['C1'], priority: 3 });
    const { reason } = evaluateToolPolicy(contextOf(), [rule]);
    expect(reason).toBe(
      'The rule "get_*" (priority 3, for certain people, in certain chats) denies this tool.',
    );
  });

  it('are given by every stage, also where it is silent or lifts a default', () => {
    const ctx = contextOf(
      { group: 'system', requiresApproval: true, accessesSensitiveData: true },
      { chatType: 'group' },
    );
    const allow = ruleOf('get_quote', 'allow', { users: ['U1'], channels: ['group'], reason: 'they know' });
    const { finalVerdict, stageResults } = evaluateToolPolicy(ctx, [allow]);
    expect(finalVerdict).toBe('allow');
    expect(stageResults).toHaveLength(9);
    for (const { reason } of stageResults) expect(reason).toMatch(/^[A-Z].{10,}/);
    const said = new Map(stageResults.map(({ stage, reason }) => [stage, reason]));
    for (const stage of ['channel-policy', 'group-policy', 'tool-policy'])
      expect(said.get(stage)).toMatch(/The rule "get_quote".*they know/);
  });

  it('tell what a group does by default', () => {
    expect(groupReason('system')).toBe('By default, the group "system" asks for approval of this tool.');
    expect(groupReason('finance')).toBe('By default, the group "finance" allows this tool.');
  });
});
