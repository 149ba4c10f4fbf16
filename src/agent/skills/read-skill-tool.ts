import { z } from 'zod';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import type { SkillManager } from './skill-manager.ts';

/** Less than the limit of a result, because a truncated skill misleads. */
const PART_LENGTH = 8_000;
const MAX_NAME_LENGTH = 100;

/** Splits into parts of whole lines. */
const partsOf = (body: string): readonly string[] => {
  const parts: string[] = [];
  let rest = body;
  while (rest.length > PART_LENGTH) {
    const lineEnd = rest.lastIndexOf('\n', PART_LENGTH);
    const end = lineEnd > 0 ? lineEnd + 1 : PART_LENGTH;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
};

export const READ_SKILL = 'read_skill';

const input = toolInput(() =>
  z.object({
    name: z.string().min(1).max(MAX_NAME_LENGTH).describe('As it stands in the list, e.g. "stock-briefing"'),
    part: z.int().min(1).optional().describe('Of a long skill; 1 where it is left out'),
  }),
);

export const readSkillTool = (skills: Pick<SkillManager, 'list' | 'read'>): Tool =>
  defineTool({
    name: READ_SKILL,
    description: [
      'Read the instructions of a skill: how to do a certain task well, step by step. Use it before you start',
      'a task that a skill in your list fits, then follow it. A long skill comes in parts: each says how to',
      'get the next one.',
    ].join(' '),
    // In the group that is always available: a list of skills is useless if none can be read.
    group: 'finance',
    input,
    run: async ({ name, part = 1 }) => {
      const skill = await skills.read(name.trim());
      if (!skill) {
        const names = skills.list().map((known) => known.name);
        const content = `There is no skill of that name. ${names.length > 0 ? `There are: ${names.join(', ')}` : 'There are none.'}`;
        return { content, isError: true };
      }
      const parts = partsOf(skill.body);
      const text = parts[part - 1];
      if (text === undefined)
        return { content: `The skill ${skill.name} has ${parts.length} part(s).`, isError: true };
      const next =
        part < parts.length ? `\n[Part ${part} of ${parts.length}: read part ${part + 1} next.]` : '';
      return { content: `${text}${next}`, isError: false };
    },
  });
