import type { PolicyContext, PolicyRule, PolicyVerdict } from '#src/agent/tools/policy.ts';
import type { RegisteredToolDefinition } from '#src/kernel/agent/tool.ts';

/** A tool that no stage has a word to say about. */
const harmlessTool = (overrides: Partial<RegisteredToolDefinition> = {}): RegisteredToolDefinition => ({
  name: 'get_quote',
  description: 'Quotes',
  inputSchema: {},
  group: 'finance',
  requiresApproval: false,
  isTransactional: false,
  accessesSensitiveData: false,
  adminsOnly: false,
  isExternal: false,
  timeoutMs: 30_000,
  ...overrides,
});

/** A person who is nobody special, in a direct chat on Discord. */
export const contextOf = (
  tool: Partial<RegisteredToolDefinition> = {},
  overrides: Partial<PolicyContext> = {},
): PolicyContext => {
  const toolDefinition = harmlessTool(tool);
  return {
    toolName: toolDefinition.name,
    toolDefinition,
    userId: 'U1',
    userRoles: ['analyst'],
    isAdmin: false,
    channelId: 'discord',
    chatId: 'C1',
    chatType: 'direct',
    ...overrides,
  };
};

export const ruleOf = (
  pattern: string,
  verdict: PolicyVerdict,
  overrides: Partial<PolicyRule> = {},
): PolicyRule => ({ pattern, verdict, priority: 0, ...overrides });
