import { describe, expect, it } from 'vitest';
import { buildToolsSection } from '#src/agent/prompt/sections.ts';
import { BUILT_IN_GROUPS, groupOf, groupsWith } from '#src/agent/tools/tool-groups.ts';

describe('the groups of tools', () => {
  it('are six, each with what it does by default', () => {
    expect(
      BUILT_IN_GROUPS.map(({ id, defaultPolicy, includeInPromptWhen }) => [
        id,
        defaultPolicy,
        includeInPromptWhen,
      ]),
    ).toEqual([
      ['finance', 'allow', 'always'],
      ['system', 'require-approval', 'on-demand'],
      ['web', 'allow', 'always'],
      ['data', 'require-approval', 'on-demand'],
      ['communication', 'allow', 'always'],
      ['custom', 'require-approval', 'on-demand'],
    ]);
  });

  it('are described for the model in one line of the prompt, by what the bot really has', () => {
    const groups = BUILT_IN_GROUPS.map(({ id, description }) => ({ id, description }));
    const { content } = buildToolsSection([], groups);
    for (const { id, description } of groups) expect(content).toContain(`\n- ${id}: ${description}`);
    expect(content).not.toMatch(/files|processes|database|search(?:es|ing) the web|e-?mail/i);
  });

  it('take the default policies that the operator chose, and keep all else', () => {
    const groups = groupsWith({ system: 'deny', finance: 'require-approval' });
    expect(groups.map(({ defaultPolicy }) => defaultPolicy)).toEqual([
      'require-approval',
      'deny',
      'allow',
      'require-approval',
      'allow',
      'require-approval',
    ]);
    expect(
      groups.map((group, index) => ({ ...group, defaultPolicy: BUILT_IN_GROUPS[index]?.defaultPolicy })),
    ).toEqual(BUILT_IN_GROUPS);
  });

  it('stay as they are where the operator chose nothing, and for the next operator', () => {
    groupsWith({ web: 'deny' });
    expect(groupsWith({})).toEqual(BUILT_IN_GROUPS);
  });

  it('are found by their id', () => {
    const groups = groupsWith({ web: 'deny' });
    expect(groupOf('web', groups)?.defaultPolicy).toBe('deny');
    expect(groupOf('web', [])).toBeUndefined();
  });
});
