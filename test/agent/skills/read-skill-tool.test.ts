import { describe, expect, it } from 'vitest';
import { readSkillTool } from '#src/agent/skills/read-skill-tool.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const toolFor = (bodies: Readonly<Record<string, string>>) => {
  const tool = readSkillTool({
    list: () => Object.keys(bodies).map((name) => ({ name, description: 'x' })),
    read: async (name) => (Object.hasOwn(bodies, name) ? { name, body: bodies[name] ?? '' } : undefined),
  });
  const call = (input: unknown) => tool.invoke(input, toolContextOf(), AbortSignal.timeout(1_000));
  return { tool, call };
};

describe('read_skill', () => {
  it('gives the instructions', async () => {
    const { call } = toolFor({ briefing: '# Steps\n\n1. Look.' });
    await expect(call({ name: 'briefing' })).resolves.toEqual({
      content: '# Steps\n\n1. Look.',
      isError: false,
    });
    await expect(call({ name: ' briefing ' })).resolves.toMatchObject({ isError: false });
  });

  it('tells what there is when asked for what there is not', async () => {
    const { call } = toolFor({ briefing: 'x', earnings: 'y' });
    const result = await call({ name: 'nothing' });
    expect(result.isError).toBe(true);
    expect(result.content).toContain('briefing, earnings');
    await expect(toolFor({}).call({ name: 'nothing' })).resolves.toMatchObject({
      content: expect.stringContaining('There are none'),
      isError: true,
    });
  });

  it('is always at hand and asks nobody', () => {
    const { definition } = toolFor({}).tool;
    expect(definition).toMatchObject({ name: 'read_skill', group: 'finance', requiresApproval: false });
  });

  it('gives a long skill in parts of whole lines, without losing any of it', async () => {
    const body = Array.from({ length: 2_500 }, (_, n) => `Step ${n}: look.`).join('\n');
    const { call } = toolFor({ long: body });
    const parts: string[] = [];
    for (let part = 1; ; part += 1) {
      const { content, isError } = await call({ name: 'long', part });
      if (isError) break;
      expect(content.length).toBeLessThan(10_000);
      expect(content).toMatch(/^Step \d+: look\./);
      parts.push(content.replace(/\n\[Part \d+ of \d+: read part \d+ next\.\]$/, ''));
    }
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.join('')).toBe(body);
  });

  it('says which part comes next, and in the last one nothing', async () => {
    const { call } = toolFor({ long: 'x'.repeat(12_000) });
    const first = await call({ name: 'long' });
    expect(first.content).toMatch(/\[Part 1 of 2: read part 2 next\.\]$/);
    const second = await call({ name: 'long', part: 2 });
    expect(second.content).toBe('x'.repeat(4_000));
    await expect(call({ name: 'long', part: 3 })).resolves.toMatchObject({ isError: true });
    await expect(call({ name: 'long', part: 0 })).resolves.toMatchObject({ isError: true });
  });
});
