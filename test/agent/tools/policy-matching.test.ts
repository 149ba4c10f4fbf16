import { describe, expect, it } from 'vitest';
import { evaluateToolPolicy, type PolicyContext, type PolicyRule } from '#src/agent/tools/policy.ts';
import { everyRow } from '#test/support/every-row.ts';
import { contextOf, ruleOf } from './policy-support.ts';

const isDenied = (rule: Omit<PolicyRule, 'verdict'>, ctx: PolicyContext): boolean =>
  evaluateToolPolicy(ctx, [{ ...rule, verdict: 'deny' }]).finalVerdict === 'deny';

const fits = (pattern: string, name: string): boolean =>
  isDenied(ruleOf(pattern, 'deny'), contextOf({ name }));

describe('the pattern of a rule', () => {
  everyRow([
    ['get_quote', 'get_quote'],
    ['*', 'get_quote'],
    ['get_*', 'get_quote'],
    ['get_*', 'get_'],
    ['*_url', 'fetch_url'],
    ['*quote*', 'get_quote'],
    ['get_*_of_*', 'get_price_of_gold'],
    ['*a*b', 'xaxb-ab'],
    ['get**quote', 'get_quote'],
    ['*_*_*', 'a_b_c'],
  ])('%s fits %s', (pattern, name) => {
    expect(fits(pattern, name)).toBe(true);
  });

  everyRow([
    ['get_quote', 'get_quotes'],
    ['get_quote', 'Get_quote'],
    ['get_*', 'forget_quote'],
    ['*_url', 'fetch_urls'],
    ['ab*ba', 'aba'],
    ['*_*_*', 'a_b'],
    ['get_*_of_*', 'get_of_gold'],
    ['a*bc*c', 'abc'],
    ['', 'get_quote'],
    ['.*', 'get_quote'],
    ['get.quote', 'get_quote'],
    ['get_[a-z]*', 'get_quote'],
    ['^get_*', 'get_quote'],
    ['get_quote|*', 'get_quote'],
    ['(', 'get_quote'],
    ['finance', 'get_quote'],
    ['finance:*', 'get_quote'],
  ])('%s does not fit %s: only the asterisk means more than itself', (pattern, name) => {
    expect(fits(pattern, name)).toBe(false);
  });

  it('takes no longer for a name that almost fits', () => {
    const name = 'a'.repeat(64);
    expect(fits(`${'*a'.repeat(30)}*b`, name)).toBe(false);
  });

  it.each([
    ['group:finance', true],
    ['group:*', true],
    ['group:fin*', true],
    ['group:web', false],
    ['group:', false],
    ['group:get_quote', false],
  ])('%s is about the groups of tools', (pattern, expected) => {
    expect(isDenied(ruleOf(pattern, 'deny'), contextOf())).toBe(expected);
  });
});

describe('whom and where a rule is meant for', () => {
  const ctx = contextOf({}, { userRoles: ['analyst', 'trader'], chatType: 'channel' });

  everyRow<[Partial<PolicyRule>, boolean]>([
    [{ users: ['U1'] }, true],
    [{ users: ['discord:U1'] }, true],
    [{ users: ['slack:U1', 'U2'] }, false],
    [{ users: [] }, false],
    [{ roles: ['trader'] }, true],
    [{ roles: ['owner'] }, false],
    [{ roles: [] }, false],
    [{ users: ['U2'], roles: ['trader'] }, true],
    [{ users: ['U1'], roles: ['owner'] }, true],
    // A role is not a person, and a person is not a chat.
    [{ users: ['trader'] }, false],
    [{ roles: ['U1'] }, false],
    [{ users: ['C1'] }, false],
    [{ channels: ['U1', 'trader'] }, false],
    [{ channels: ['discord'] }, true],
    [{ channels: ['C1'] }, true],
    [{ channels: ['discord:C1'] }, true],
    [{ channels: ['channel'] }, true],
    [{ channels: ['slack', 'C2', 'slack:C1', 'direct', 'group'] }, false],
    [{ channels: [] }, false],
    [{ users: ['U1'], channels: ['C1'] }, true],
    [{ users: ['U1'], channels: ['C2'] }, false],
    [{ users: ['U2'], channels: ['C1'] }, false],
  ])('%o: %s', (audience, expected) => {
    expect(isDenied(ruleOf('get_quote', 'deny', audience), ctx)).toBe(expected);
  });

  it('needs both the person and the place where a rule names both, also to allow', () => {
    const allow = ruleOf('get_quote', 'allow', { users: ['U1'], channels: ['C1'] });
    const stage = (overrides: Partial<PolicyContext>): string =>
      evaluateToolPolicy(contextOf({}, overrides), [allow]).decidingStage;
    expect(stage({})).toBe('user-allow');
    expect(stage({ chatId: 'C2' })).toBe('default-policy');
    expect(stage({ userId: 'U2' })).toBe('default-policy');
  });
});

describe('a list of rules that is used again', () => {
  it('is asked anew for every tool, group, person and place', () => {
    const rules = [
      ruleOf('get_quote', 'deny', { users: ['U1'] }),
      ruleOf('group:web', 'deny'),
      ruleOf('fetch_*', 'deny', { channels: ['C2'] }),
    ];
    const verdict = (...args: Parameters<typeof contextOf>): string =>
      evaluateToolPolicy(contextOf(...args), rules).finalVerdict;
    for (let round = 0; round < 2; round += 1) {
      expect(verdict()).toBe('deny');
      expect(verdict({}, { userId: 'U2' })).toBe('allow');
      expect(verdict({ name: 'get_news' })).toBe('allow');
      expect(verdict({ name: 'get_news', group: 'web' })).toBe('deny');
      expect(verdict({ name: 'fetch_url' }, { chatId: 'C2' })).toBe('deny');
      expect(verdict({ name: 'fetch_url' })).toBe('allow');
    }
  });

  it('does not speak for another list', () => {
    expect(evaluateToolPolicy(contextOf(), [ruleOf('*', 'deny')]).finalVerdict).toBe('deny');
    expect(evaluateToolPolicy(contextOf(), []).finalVerdict).toBe('allow');
  });
});
