import { describe, expect, it } from 'vitest';
import { estimateTokens } from '#src/agent/tokens.ts';
import { buildSystemPrompt, type PromptBuildContext } from '#src/agent/prompt/system-prompt.ts';
import { promptContext, sectionOf, titlesIn } from '#test/agent/prompt/support.ts';

const OPERATOR = 'Instructions of the operator';
const CUT = '[Cut here: the rest did not fit.]';

/** What is left out at a budget, compared with the whole prompt. */
const leftOut = (tokenBudget: number): readonly string[] => {
  const kept = titlesIn(buildSystemPrompt(promptContext({ tokenBudget })));
  return titlesIn(buildSystemPrompt(promptContext())).filter((title) => !kept.includes(title));
};

const operatorText = (ctx: Partial<PromptBuildContext>): string =>
  sectionOf(buildSystemPrompt(promptContext(ctx)), OPERATOR);

describe('a budget of tokens', () => {
  it('leaves out optional sections, the least important first, and as few as it takes', () => {
    const seen: string[] = [];
    for (let budget = estimateTokens(buildSystemPrompt(promptContext())) + 50; budget > 0; budget -= 25)
      for (const title of leftOut(budget)) if (!seen.includes(title)) seen.push(title);
    expect(seen).toEqual([
      'Examples',
      'Earlier conversation',
      'The person',
      'What you can do',
      'Form of an answer',
      'Markets and numbers',
    ]);
  });

  it('is kept as long as there is something to leave out', () => {
    for (const tokenBudget of [2_400, 2_200, 2_000, 1_800])
      expect(estimateTokens(buildSystemPrompt(promptContext({ tokenBudget })))).toBeLessThanOrEqual(
        tokenBudget,
      );
  });

  it('never takes the rules, the tools, the limits on advice and the chat', () => {
    expect(titlesIn(buildSystemPrompt(promptContext({ tokenBudget: 1 })))).toEqual([
      'Who you are',
      'Rules that always hold',
      'Risk notice',
      'What is true now',
      'Tools',
      'Information, not advice',
      'This chat',
      'Language',
    ]);
  });

  it('leaves everything in by default, also with many skills', () => {
    const skills = Array.from({ length: 200 }, (_, n) => ({
      name: `skill-${n}`,
      description: 'Does something in particular. '.repeat(10),
    }));
    const prompt = buildSystemPrompt(promptContext({ skills, customInstructions: 'Be kind.' }));
    expect(titlesIn(prompt)).toHaveLength(15);
    expect(estimateTokens(prompt)).toBeLessThanOrEqual(6_000);
    for (const { name } of skills) expect(prompt).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe('long instructions of the operator', () => {
  const customInstructions = `FIRST ${'지시 사항. '.repeat(5_000)}LAST`;

  it('are cut, and say so, before anything else goes', () => {
    const prompt = buildSystemPrompt(promptContext({ customInstructions }));
    expect(titlesIn(prompt)).toHaveLength(15);
    expect(estimateTokens(prompt)).toBeLessThanOrEqual(6_000);
    const section = sectionOf(prompt, OPERATOR);
    expect(section).toContain('FIRST');
    expect(section).not.toContain('LAST');
    expect(section.trimEnd().endsWith(`${CUT}\n</operator>`)).toBe(true);
  });

  it('are cut at whole characters', () => {
    for (let tokenBudget = 3_000; tokenBudget < 3_012; tokenBudget += 1)
      expect(operatorText({ customInstructions, tokenBudget })).not.toContain('\ufffd');
  });

  it('give way further where even the required sections hardly fit, but never without a word', () => {
    const required = estimateTokens(buildSystemPrompt(promptContext({ tokenBudget: 1 })));
    const prompt = buildSystemPrompt(promptContext({ customInstructions, tokenBudget: required + 150 }));
    expect(estimateTokens(prompt)).toBeLessThanOrEqual(required + 150);
    expect(sectionOf(prompt, OPERATOR)).toContain('FIRST');
    expect(operatorText({ customInstructions, tokenBudget: 1 })).toContain(CUT);
  });

  it('within their third of the budget are worth more than optional sections', () => {
    const instructions = `FIRST ${'word '.repeat(300)}LAST`;
    const prompt = buildSystemPrompt(promptContext({ customInstructions: instructions, tokenBudget: 2_500 }));
    expect(estimateTokens(prompt)).toBeLessThanOrEqual(2_500);
    expect(sectionOf(prompt, OPERATOR)).toContain('LAST');
    expect(titlesIn(prompt)).not.toContain('Examples');
  });

  it('leave room for those of an agent, which are cut to their share only where both are long', () => {
    const short = operatorText({ customInstructions, agentInstructions: 'You serve the desk.' });
    expect(short).toContain('FIRST');
    expect(short.trimEnd().endsWith(`${CUT}\n\nYou serve the desk.\n</operator>`)).toBe(true);

    const agentInstructions = `SECOND ${'맡은 일. '.repeat(5_000)}`;
    const both = operatorText({ customInstructions, agentInstructions });
    const [one = '', other = ''] = both.split(CUT);
    expect([one.includes('FIRST'), other.includes('SECOND')]).toEqual([true, true]);
    expect(Math.abs(other.length / one.length - 1)).toBeLessThan(0.15);
    const prompt = buildSystemPrompt(promptContext({ customInstructions, agentInstructions }));
    expect(estimateTokens(prompt)).toBeLessThanOrEqual(6_000);
    expect(titlesIn(prompt)).toHaveLength(15);
    const mine = operatorText({ customInstructions: 'Be kind.', agentInstructions });
    expect(mine).toContain('<operator>\nBe kind.\n\nSECOND');
  });

  it('stay whole where they fit', () => {
    const section = operatorText({ customInstructions: 'Speak of the club.\n\nBe kind.' });
    expect(section).toContain('<operator>\nSpeak of the club.\n\nBe kind.\n</operator>');
    expect(section).not.toContain(CUT);
  });
});
