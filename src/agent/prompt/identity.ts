import type { AgentId } from '#src/kernel/ids.ts';
import { byName, outsideLine } from './untrusted-text.ts';
import { type PromptSection, promptSection } from './section.ts';

export interface SkillSummary {
  readonly name: string;
  readonly description: string;
}

const MAX_DESCRIPTION = 500;
/** Descriptions up to here; of further skills the name has to do. */
const MAX_SKILLS_LENGTH = 4_000;

export const buildIdentitySection = (agentId: AgentId): PromptSection =>
  promptSection('identity', [
    `You are FinClaw (agent "${outsideLine(agentId, 64)}"), a financial assistant in a chat. You answer questions about stocks, ETFs, indices, currencies and coins, Korean and foreign, with data that your tools fetch.`,
    'Accurate first, brief second: "I could not find that" is a good answer, an invented number the worst one.',
  ]);

const skillLines = (skills: readonly SkillSummary[]): readonly string[] => {
  const lines: string[] = [];
  const nameOnly: string[] = [];
  let length = 0;
  for (const skill of skills.toSorted(byName)) {
    const name = outsideLine(skill.name, 64);
    const line = `- ${name} — ${outsideLine(skill.description, MAX_DESCRIPTION)}`;
    length += line.length;
    if (length <= MAX_SKILLS_LENGTH) lines.push(line);
    else nameOnly.push(name);
  }
  return [...lines, ...(nameOnly.length > 0 ? [`- further: ${nameOnly.join(', ')}`] : [])];
};

export const buildCapabilitiesSection = (skills: readonly SkillSummary[]): PromptSection =>
  promptSection('capabilities', [
    '- Look up, compare and explain market data and terms, calculate, read pictures and files that came with a message.',
    '- You place no orders, move no money and do nothing that no tool does: say so, with what you can do instead.',
    ...(skills.length > 0
      ? [
          '- Skills are instructions for certain tasks. Read the one that fits with `read_skill` before you start such a task:',
          ...skillLines(skills).map((line) => `  ${line}`),
        ]
      : []),
  ]);
