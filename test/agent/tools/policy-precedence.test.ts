import { describe, expect, it } from 'vitest';
import { groupsWith } from '#src/agent/tools/tool-groups.ts';
import {
  evaluateToolPolicy,
  type PolicyContext,
  type PolicyRule,
  type PolicyVerdict,
} from '#src/agent/tools/policy.ts';
import { contextOf, ruleOf } from './policy-support.ts';

const CLOSED = groupsWith({ system: 'deny' });
const verdictOf = (
  rules: readonly PolicyRule[],
  ctx: PolicyContext = contextOf(),
  groups = groupsWith({}),
): PolicyVerdict => evaluateToolPolicy(ctx, rules, groups).finalVerdict;

/** One rule that allows the quotes in each of the stages that can. */
const ALLOWS: readonly (readonly [string, PolicyRule])[] = [
  ['global-allow', ruleOf('get_*', 'allow')],
  ['user-allow', ruleOf('get_*', 'allow', { users: ['U1'] })],
  ['channel-policy', ruleOf('get_*', 'allow', { channels: ['C1'] })],
  ['group-policy', ruleOf('group:*', 'allow')],
  ['tool-policy', ruleOf('get_quote', 'allow')],
];

describe('which rule decides in a stage', () => {
  it('is the one of highest priority', () => {
    const low = ruleOf('get_quote', 'deny', { priority: 1 });
    const high = ruleOf('get_quote', 'allow', { priority: 2 });
    expect(verdictOf([low, high])).toBe('allow');
    expect(verdictOf([{ ...low, priority: 3 }, high])).toBe('deny');
  });

  it('is the stricter of two with the same priority, wherever it stands', () => {
    const [allow, ask, deny] = (['allow', 'require-approval', 'deny'] as const).map((verdict) =>
      ruleOf('get_quote', verdict),
    ) as [PolicyRule, PolicyRule, PolicyRule];
    expect(verdictOf([allow, ask])).toBe('require-approval');
    expect(verdictOf([ask, allow])).toBe('require-approval');
    expect(verdictOf([allow, ask, deny])).toBe('deny');
    expect(verdictOf([deny, ask, allow])).toBe('deny');
  });

  it('is the first of two that are equal in all of that', () => {
    const rules = ['one', 'two'].map((reason) => ruleOf('get_quote', 'deny', { reason }));
    expect(evaluateToolPolicy(contextOf(), rules).reason).toMatch(/one$/);
  });

  it('is never one that is meant for somebody else', () => {
    expect(verdictOf([ruleOf('get_quote', 'deny', { users: ['U2'], priority: 9 })])).toBe('allow');
  });

  it('does not matter to the denials for everybody or for a person: no priority of an allow is above them', () => {
    expect(verdictOf([ruleOf('*', 'allow', { priority: 99 }), ruleOf('get_*', 'deny')])).toBe('deny');
    const people = { users: ['U1'] };
    expect(verdictOf([ruleOf('*', 'allow', { ...people, priority: 99 }), ruleOf('*', 'deny', people)])).toBe(
      'deny',
    );
  });
});

describe('an explicit allow', () => {
  it.each(ALLOWS)('in %s lifts what the group does by default', (stage, allow) => {
    for (const groups of [CLOSED, groupsWith({ system: 'require-approval' })]) {
      const lifted = evaluateToolPolicy(contextOf({ group: 'system' }), [allow], groups);
      expect([lifted.finalVerdict, lifted.decidingStage]).toEqual(['allow', stage]);
    }
  });

  it.each(ALLOWS)('in %s that is overruled in its stage lifts nothing', (_stage, allow) => {
    const overruling: PolicyRule = { ...allow, verdict: 'require-approval', priority: 1 };
    const ctx = contextOf({ group: 'system' });
    const expected = allow.pattern === 'group:*' ? 'require-approval' : 'deny';
    expect(verdictOf([allow, overruling], ctx, CLOSED)).toBe(expected);
  });

  it.each(ALLOWS)('in %s does not lift a wish for approval of another stage', (stage, allow) => {
    const others = ALLOWS.filter(([other]) => other !== stage);
    for (const [other, rule] of others) {
      const asked = evaluateToolPolicy(contextOf(), [allow, { ...rule, verdict: 'require-approval' }]);
      expect([asked.finalVerdict, asked.decidingStage]).toEqual(['require-approval', other]);
    }
  });

  it.each(ALLOWS)('in %s does not lift a denial', (stage, allow) => {
    for (const [other, rule] of ALLOWS)
      if (other !== stage) expect(verdictOf([allow, { ...rule, verdict: 'deny' }])).toBe('deny');
  });

  it.each(ALLOWS)('in %s lifts neither what guards money nor what stops a loop', (_stage, allow) => {
    expect(verdictOf([allow], contextOf({ isTransactional: true }))).toBe('require-approval');
    expect(verdictOf([allow], contextOf({}, { isLooping: 'again and again' }))).toBe('require-approval');
  });

  it('does not open tools of administrators', () => {
    const allows = ALLOWS.map(([, rule]) => rule);
    expect(verdictOf(allows, contextOf({ adminsOnly: true }))).toBe('deny');
  });

  it('decides as the first one that was met', () => {
    const rules = ALLOWS.map(([, rule]) => rule).toReversed();
    expect(evaluateToolPolicy(contextOf(), rules).decidingStage).toBe('global-allow');
    expect(evaluateToolPolicy(contextOf(), rules.slice(0, -1)).decidingStage).toBe('user-allow');
  });
});

describe('a rule about a group', () => {
  it('takes the place of the default of that group', () => {
    const ctx = contextOf({ group: 'system' });
    expect(verdictOf([ruleOf('group:system', 'require-approval')], ctx, CLOSED)).toBe('require-approval');
    expect(verdictOf([ruleOf('group:web', 'allow')], ctx, CLOSED)).toBe('deny');
  });

  it('that denies is not undone by an allow for a tool of it', () => {
    expect(verdictOf([ruleOf('group:finance', 'deny'), ruleOf('get_quote', 'allow')])).toBe('deny');
  });
});

describe('a tool that itself asks for approval', () => {
  const ctx = contextOf({ requiresApproval: true });

  it('is freed of it by an allow that names it, for everybody, a person or a chat', () => {
    expect(verdictOf([ruleOf('get_quote', 'allow')], ctx)).toBe('allow');
    expect(verdictOf([ruleOf('get_quote', 'allow', { users: ['U1'] })], ctx)).toBe('allow');
    expect(verdictOf([ruleOf('get_quote', 'allow', { channels: ['C1'] })], ctx)).toBe('allow');
  });

  it('is still denied, or asked about, by a rule that names it', () => {
    expect(verdictOf([ruleOf('get_quote', 'deny')], ctx)).toBe('deny');
    const ask = ruleOf('get_quote', 'require-approval', { reason: 'it is new' });
    expect(evaluateToolPolicy(ctx, [ask]).reason).toMatch(/it is new$/);
    expect(verdictOf([ask, ruleOf('get_quote', 'allow', { users: ['U1'] })], ctx)).toBe('require-approval');
  });

  it('is not freed by an allow for many', () => {
    for (const [stage, rule] of ALLOWS)
      if (stage !== 'tool-policy') expect(verdictOf([rule], ctx)).toBe('require-approval');
    const people = { users: ['U1'] };
    expect(verdictOf([ruleOf('*_quote', 'allow', people)], ctx)).toBe('require-approval');
    expect(verdictOf([ruleOf('group:finance', 'allow', people)], ctx)).toBe('require-approval');
  });

  it('is freed by an allow that names it behind a wider allow, and not behind a stricter rule', () => {
    const people = { users: ['U1'] };
    const named = ruleOf('get_quote', 'allow', { ...people, priority: 1 });
    const wide = ruleOf('*', 'allow', { ...people, priority: 3 });
    expect(verdictOf([named, wide], ctx)).toBe('allow');
    const stricter = ruleOf('get_*', 'require-approval', { ...people, priority: 2 });
    expect(verdictOf([named, wide, stricter], ctx)).toBe('require-approval');
  });
});

describe('a tool with personal data in a group', () => {
  const ctx = contextOf({ accessesSensitiveData: true }, { chatType: 'group' });

  it('is opened only by an allow for that place', () => {
    for (const [stage, rule] of ALLOWS)
      expect(verdictOf([rule], ctx)).toBe(stage === 'channel-policy' ? 'allow' : 'deny');
    expect(verdictOf([ruleOf('*', 'allow', { users: ['U1'], channels: ['group'] })], ctx)).toBe('allow');
    expect(verdictOf([ruleOf('*', 'allow', { channels: ['C2', 'direct'] })], ctx)).toBe('deny');
  });

  it('is not opened by an allow for a whole platform', () => {
    expect(verdictOf([ruleOf('*', 'allow', { channels: [ctx.channelId] })], ctx)).toBe('deny');
    expect(verdictOf([ruleOf('*', 'allow', { channels: [`${ctx.channelId}:${ctx.chatId}`] })], ctx)).toBe(
      'allow',
    );
  });

  it('is not opened by a wish for approval, nor by an allow behind one', () => {
    const ask = ruleOf('*', 'require-approval', { channels: ['group'] });
    expect(verdictOf([ask], ctx)).toBe('deny');
    expect(verdictOf([ask, ruleOf('*', 'allow', { channels: ['group'] })], ctx)).toBe('deny');
  });

  it('still waits for approval where another rule asks for it', () => {
    const opening = ruleOf('*', 'allow', { users: ['U1'], channels: ['group'] });
    const ask = ruleOf('*', 'require-approval', { channels: ['group'] });
    expect(verdictOf([opening, ask], ctx)).toBe('require-approval');
  });
});

describe('a wish for approval', () => {
  it('goes on, so that a later stage can deny', () => {
    expect(verdictOf([ruleOf('get_*', 'require-approval'), ruleOf('get_quote', 'deny')])).toBe('deny');
  });

  it('is told with the first stage and reason of several', () => {
    const ctx = contextOf({ isTransactional: true, requiresApproval: true, group: 'data' });
    const rule = ruleOf('*', 'require-approval', { users: ['U1'], reason: 'new here' });
    const { decidingStage, reason, stageResults } = evaluateToolPolicy(ctx, [rule]);
    expect(decidingStage).toBe('user-allow');
    expect(reason).toMatch(/new here$/);
    expect(stageResults.filter(({ verdict }) => verdict === 'require-approval')).toHaveLength(4);
  });
});
