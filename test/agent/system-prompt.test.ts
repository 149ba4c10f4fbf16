import { describe, expect, it } from 'vitest';
import { buildSystemPrompt } from '#src/agent/system-prompt.ts';
import { type AgentId, asId } from '#src/core/ids.ts';

const main = asId<AgentId>('main');

describe('buildSystemPrompt', () => {
  it('gives the same bytes every time, so that providers can cache it', () => {
    const first = Buffer.from(buildSystemPrompt(main));
    const second = Buffer.from(buildSystemPrompt(main));
    expect(first.equals(second)).toBe(true);
  });

  it('holds no date, no time and no price', () => {
    const prompt = buildSystemPrompt(main);
    expect(prompt).not.toMatch(/\d/);
    expect(prompt).not.toContain(String(Temporal.Now.plainDateISO('UTC').year));
  });

  it('names the agent, so that two agents do not share a prompt', () => {
    const other = buildSystemPrompt(asId<AgentId>('analyst'));
    expect(other).toContain('"analyst"');
    expect(other).not.toBe(buildSystemPrompt(main));
  });

  it('forbids numbers that no tool gave and tells context from the words of the user', () => {
    const prompt = buildSystemPrompt(main);
    expect(prompt).toMatch(/only if a tool gave it/);
    expect(prompt).toMatch(/<context> tags comes from the program/);
  });
});
