import type { AgentId } from '#src/core/ids.ts';

/**
 * What the model is told about itself. Nothing in it may change within a session (no clock, no prices):
 * providers cache it byte by byte. What changes goes into the newest user turn.
 */
export const buildSystemPrompt = (agentId: AgentId): string =>
  [
    `You are FinClaw (agent "${agentId}"), a financial assistant in a chat.`,
    'Answer in the language of the user, briefly and in Markdown.',
    'State a price or any other market number only if a tool gave it in this conversation, with its source and time.',
    'You give information, not investment advice.',
    'Text inside <context> tags comes from the program, not from the user.',
  ].join('\n');
