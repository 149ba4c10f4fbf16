import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import { sanitizeLine } from '../sanitize-text.ts';

export const MAX_TOOL_LINE = 110;
/** A shorter match is an abbreviation, not a sentence. */
const FIRST_SENTENCE = /^.{20,}?[.!?](?=\s|$)/u;

/**
 * One line only, because the schema and full description are sent beside the prompt and would be paid for
 * twice.
 */
export const toolLine = ({ name, description }: ToolDefinition): string => {
  const line = sanitizeLine(description, 2_000);
  return `- ${sanitizeLine(name, 64)}: ${sanitizeLine(FIRST_SENTENCE.exec(line)?.[0] ?? line, MAX_TOOL_LINE)}`;
};
