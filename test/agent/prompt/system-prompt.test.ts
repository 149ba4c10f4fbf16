import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '#src/agent/tokens.ts';
import { buildSystemPrompt } from '#src/agent/prompt/system-prompt.ts';
import { type AgentId, asId } from '#src/kernel/ids.ts';
import { promptContext, sectionOf, titlesIn } from '#test/agent/prompt/support.ts';

const FULL_ORDER = [
  'Who you are',
  'Rules that always hold',
  'Risk notice',
  'What is true now',
  'Markets and numbers',
  'Tools',
  'Information, not advice',
  'This chat',
  'Language',
  'Form of an answer',
  'What you can do',
  'The person',
  'Earlier conversation',
  'Examples',
  'Instructions of the operator',
];

const profile = {
  riskTolerance: 'aggressive',
  preferredMarkets: ['crypto', 'KRX'],
  complianceLevel: 'professional',
  timeZone: 'Asia/Tokyo',
} as const;

describe('the bytes of the system prompt', () => {
  it('are the same in whatever order tools, groups, skills and markets come', () => {
    const ctx = promptContext({ profile, customInstructions: 'Be kind.' });
    const expected = buildSystemPrompt(ctx);
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...ctx.tools], { minLength: ctx.tools.length }),
        fc.shuffledSubarray([...ctx.skills], { minLength: ctx.skills.length }),
        fc.shuffledSubarray([...ctx.onDemandGroups], { minLength: ctx.onDemandGroups.length }),
        (tools, skills, onDemandGroups) => {
          const preferredMarkets = profile.preferredMarkets.toReversed();
          const shuffled = {
            ...ctx,
            tools,
            skills,
            onDemandGroups,
            profile: { ...profile, preferredMarkets },
          };
          expect(buildSystemPrompt(shuffled)).toBe(expected);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('name the agent, so that two agents do not share a prompt', () => {
    const other = buildSystemPrompt(promptContext({ agentId: asId<AgentId>('analyst') }));
    expect(sectionOf(other, 'Who you are')).toContain('"analyst"');
    expect(other).not.toBe(buildSystemPrompt(promptContext()));
  });

  it('hold no date and no time of day: those stand in the newest message', () => {
    const prompt = buildSystemPrompt(promptContext({ profile }));
    expect(prompt).not.toMatch(/\d{4}-\d\d|\d{4}년/);
    expect(prompt).not.toMatch(/\d:\d\d/);
  });
});

describe('the full prompt', () => {
  it('has all fifteen sections, by priority', () => {
    const prompt = buildSystemPrompt(promptContext({ profile, customInstructions: 'Be kind.' }));
    expect(titlesIn(prompt)).toEqual(FULL_ORDER);
  });

  it('is what is built unless another mode is asked for', () => {
    expect(buildSystemPrompt(promptContext())).toBe(buildSystemPrompt(promptContext(), 'full'));
  });

  it('has no section for instructions where the operator gave none', () => {
    const without = FULL_ORDER.slice(0, -1);
    expect(titlesIn(buildSystemPrompt(promptContext()))).toEqual(without);
    expect(titlesIn(buildSystemPrompt(promptContext({ customInstructions: ' \n ' })))).toEqual(without);
  });

  it('stays short with the tools that ship', () => {
    const tokens = estimateTokens(buildSystemPrompt(promptContext()));
    expect(tokens).toBeGreaterThan(1_500);
    expect(tokens).toBeLessThan(2_500);
  });
});

describe('the minimal prompt of a small window', () => {
  it('has what may never be missing, and the words of the operator whole', () => {
    const customInstructions = `Be kind. ${'Say it twice. '.repeat(300)}`.trim();
    const prompt = buildSystemPrompt(promptContext({ profile, customInstructions }), 'minimal');
    expect(titlesIn(prompt)).toEqual([
      'Who you are',
      'Rules that always hold',
      'Risk notice',
      'What is true now',
      'Tools',
      'Information, not advice',
      'This chat',
      'Language',
      'Instructions of the operator',
    ]);
    expect(prompt).toContain(customInstructions);
    expect(buildSystemPrompt(promptContext({ chatType: 'group' }), 'minimal')).toContain(
      'Nothing personal here',
    );
  });

  it('names the tools that have to be looked for, and does not repeat the others', () => {
    const prompt = buildSystemPrompt(promptContext(), 'minimal');
    expect(sectionOf(prompt, 'Tools')).toContain('More tools: get_system_info, query_my_data.');
    expect(sectionOf(prompt, 'Tools')).not.toContain('get_quote');
    expect(estimateTokens(prompt)).toBeLessThan(1_600);
  });
});

describe('a person', () => {
  it('is described in a direct chat, with the level that decides how to speak', () => {
    const prompt = buildSystemPrompt(promptContext({ profile: { ...profile, locale: 'ko' } }));
    const person = sectionOf(prompt, 'The person');
    expect(person).toContain('aggressive');
    expect(person).toContain('KRX, crypto');
    expect(person).toContain('Asia/Tokyo');
    expect(sectionOf(prompt, 'Information, not advice')).toContain('works with markets');
    expect(sectionOf(prompt, 'Language')).toContain('chose Korean');
  });

  it.each(['group', 'channel'] as const)(
    'leaves no trace in a %s, even if a profile is handed over',
    (chatType) => {
      const known = buildSystemPrompt(promptContext({ chatType, profile: { ...profile, locale: 'ko' } }));
      expect(known).toBe(buildSystemPrompt(promptContext({ chatType })));
      expect(sectionOf(known, 'Information, not advice')).toContain('private investor');
      expect(sectionOf(known, 'This chat')).toMatch(/Nothing personal here.*direct message/s);
    },
  );

  it('of whom nothing is known is taken for a private investor', () => {
    const prompt = buildSystemPrompt(promptContext({ profile: {} }));
    expect(sectionOf(prompt, 'Information, not advice')).toContain('private investor');
    expect(sectionOf(prompt, 'The person')).toContain('no profile');
  });
});
