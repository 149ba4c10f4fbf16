import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupsWith } from '#src/agent/tools/tool-groups.ts';
import {
  evaluateToolPolicy,
  type PolicyContext,
  type PolicyRule,
  type PolicyVerdict,
} from '#src/agent/tools/policy.ts';
import type { ToolGroupId } from '#src/kernel/agent/tool.ts';
import { contextOf, ruleOf } from './policy-support.ts';

const STRICTNESS: Record<PolicyVerdict, number> = { allow: 0, 'require-approval': 1, deny: 2 };

const verdict = fc.constantFrom<PolicyVerdict>('allow', 'require-approval', 'deny');
const pattern = fc.constantFrom(
  'get_quote',
  'get_news',
  'get_*',
  '*_quote',
  '*',
  'group:finance',
  'group:web',
  'group:*',
);
const listOf = (...values: readonly string[]): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom(...values), { maxLength: 2 });
/** From a small world, so that rules and calls meet often. */
const rule: fc.Arbitrary<PolicyRule> = fc.record(
  {
    pattern,
    verdict,
    priority: fc.integer({ min: -2, max: 2 }),
    users: listOf('U1', 'U2', 'discord:U1', 'slack:U1'),
    roles: listOf('analyst', 'owner'),
    channels: listOf('discord', 'slack', 'C1', 'discord:C1', 'direct', 'group'),
  },
  { requiredKeys: ['pattern', 'verdict', 'priority'] },
);
const rules = fc.array(rule, { maxLength: 12 });
const groupId = fc.constantFrom<ToolGroupId>('finance', 'web', 'system');
const context: fc.Arbitrary<PolicyContext> = fc
  .record({
    tool: fc.record({
      name: fc.constantFrom('get_quote', 'get_news', 'send_mail'),
      group: groupId,
      requiresApproval: fc.boolean(),
      isTransactional: fc.boolean(),
      accessesSensitiveData: fc.boolean(),
      adminsOnly: fc.boolean(),
    }),
    caller: fc.record({
      userId: fc.constantFrom('U1', 'U2', 'U3'),
      userRoles: listOf('analyst', 'owner', 'guest'),
      isAdmin: fc.boolean(),
      channelId: fc.constantFrom('discord', 'slack'),
      chatId: fc.constantFrom('C1', 'C2'),
      chatType: fc.constantFrom('direct', 'group', 'channel'),
    }),
  })
  .map(({ tool, caller }) => contextOf(tool, caller));
const groups = fc.record({ finance: verdict, web: verdict, system: verdict }).map(groupsWith);

const verdictOf = (
  ctx: PolicyContext,
  list: readonly PolicyRule[],
  of: ReturnType<typeof groupsWith>,
): PolicyVerdict => evaluateToolPolicy(ctx, list, of).finalVerdict;

/** Changed so that it is about this very call. */
const aimedAt = (ctx: PolicyContext, { users, roles, channels, ...rest }: PolicyRule): PolicyRule => ({
  ...rest,
  pattern: rest.pattern.startsWith('group:')
    ? `group:${ctx.toolDefinition.group}`
    : rest.pattern.includes('*')
      ? `${ctx.toolName.slice(0, 3)}*`
      : ctx.toolName,
  ...((users ?? roles) ? { users: [ctx.userId] } : {}),
  ...(channels ? { channels: [ctx.chatType] } : {}),
});

/** In these stages nothing but denials stand: no allow can be above them. */
const isAbsolute = (denial: PolicyRule): boolean =>
  denial.users !== undefined ||
  (!denial.channels && !denial.pattern.startsWith('group:') && denial.pattern.includes('*'));

const RUNS = { numRuns: 250 };

describe('whatever the rules say', () => {
  it('a tool that changes something for good is never simply allowed', () => {
    fc.assert(
      fc.property(context, rules, groups, (ctx, list, of) => {
        const toolDefinition = { ...ctx.toolDefinition, isTransactional: true };
        expect(verdictOf({ ...ctx, toolDefinition }, list, of)).not.toBe('allow');
      }),
      RUNS,
    );
  });

  it('a call in a loop is never simply allowed', () => {
    fc.assert(
      fc.property(context, rules, groups, (ctx, list, of) => {
        expect(verdictOf({ ...ctx, isLooping: 'again' }, list, of)).not.toBe('allow');
      }),
      RUNS,
    );
  });

  it('a tool for administrators is denied to everybody else', () => {
    fc.assert(
      fc.property(context, rules, groups, (ctx, list, of) => {
        const toolDefinition = { ...ctx.toolDefinition, adminsOnly: true };
        expect(verdictOf({ ...ctx, toolDefinition, isAdmin: false }, list, of)).toBe('deny');
      }),
      RUNS,
    );
  });

  it('a denial that matches denies, unless a rule of its own stage has a higher priority', () => {
    fc.assert(
      fc.property(context, rules, rule, fc.nat(12), groups, (ctx, list, drawn, at, of) => {
        const aimed: PolicyRule = { ...aimedAt(ctx, drawn), verdict: 'deny' };
        const denial = isAbsolute(aimed) ? aimed : { ...aimed, priority: 2 };
        expect(verdictOf(ctx, list.toSpliced(at, 0, denial), of)).toBe('deny');
      }),
      RUNS,
    );
  });

  it('one more denial never makes the verdict milder', () => {
    fc.assert(
      fc.property(context, rules, rule, groups, (ctx, list, drawn, of) => {
        const before = STRICTNESS[verdictOf(ctx, list, of)];
        const after = STRICTNESS[verdictOf(ctx, [...list, { ...drawn, verdict: 'deny' }], of)];
        expect(after).toBeGreaterThanOrEqual(before);
      }),
      RUNS,
    );
  });

  it('the order in which they are written changes no verdict', () => {
    const shuffled = rules.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(context, shuffled, groups, (ctx, [list, other], of) => {
        expect(verdictOf(ctx, other, of)).toBe(verdictOf(ctx, list, of));
      }),
      RUNS,
    );
  });

  it('the small world of these tests meets every verdict', () => {
    const met = fc.sample(fc.tuple(context, rules, groups), { numRuns: 500, seed: 1 });
    expect(new Set(met.map((args) => verdictOf(...args)))).toEqual(
      new Set(['allow', 'require-approval', 'deny']),
    );
  });
});

const textOf = (alphabet: readonly string[]): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 8 });

describe('an asterisk', () => {
  it('stands for any characters, however many there are', () => {
    fc.assert(
      fc.property(textOf(['a', 'b', '*']), textOf(['a', 'b']), (glob, name) => {
        const denial = ruleOf(glob, 'deny');
        const isDenied = evaluateToolPolicy(contextOf({ name }), [denial]).finalVerdict === 'deny';
        expect(isDenied).toBe(new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(name));
      }),
      { numRuns: 3_000 },
    );
  });
});
