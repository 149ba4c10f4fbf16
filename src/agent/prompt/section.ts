import { estimateTokens } from '../loop/tokens.ts';

interface Place {
  readonly title: string;
  /** The higher, the earlier it stands; of those that may be left out, the lowest goes first. */
  readonly priority: number;
  readonly required: boolean;
}

/**
 * What is the same for everybody stands before what belongs to a chat or a person: providers that cache by
 * the common beginning of prompts find it again across conversations.
 */
const PLACES = {
  identity: { title: 'Who you are', priority: 150, required: true },
  constraints: { title: 'Rules that always hold', priority: 140, required: true },
  'risk-disclaimer': { title: 'Risk notice', priority: 130, required: true },
  'current-state': { title: 'What is true now', priority: 120, required: true },
  'finance-context': { title: 'Markets and numbers', priority: 110, required: false },
  tools: { title: 'Tools', priority: 100, required: true },
  compliance: { title: 'Information, not advice', priority: 95, required: true },
  'channel-context': { title: 'This chat', priority: 90, required: true },
  language: { title: 'Language', priority: 80, required: true },
  formatting: { title: 'Form of an answer', priority: 70, required: false },
  capabilities: { title: 'What you can do', priority: 60, required: false },
  'user-context': { title: 'The person', priority: 50, required: false },
  memory: { title: 'Earlier conversation', priority: 40, required: false },
  examples: { title: 'Examples', priority: 30, required: false },
  custom: { title: 'Instructions of the operator', priority: 20, required: true },
} as const satisfies Readonly<Record<string, Place>>;

export type PromptSectionId = keyof typeof PLACES;

/** One part of the system prompt. One without content is left out. */
export interface PromptSection {
  readonly id: PromptSectionId;
  readonly title: string;
  readonly content: string;
  readonly priority: number;
  readonly required: boolean;
  readonly tokenEstimate: number;
}

export const renderSection = ({ title, content }: Pick<PromptSection, 'title' | 'content'>): string =>
  `## ${title}\n${content}`;

export const promptSection = (id: PromptSectionId, lines: readonly string[]): PromptSection => {
  const place = PLACES[id];
  const content = lines.join('\n');
  // With the blank line that sets it apart from the next one.
  const tokenEstimate = estimateTokens(`${renderSection({ title: place.title, content })}\n\n`);
  return { id, ...place, content, tokenEstimate };
};
