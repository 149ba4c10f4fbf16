import { expect } from 'vitest';
import { type AgentId, asId } from '#src/kernel/ids.ts';
import { agentOf } from '#src/kernel/session-agent.ts';
import { deriveSessionKey } from '#src/chat/turns/session-key.ts';
import { everyRow } from '#test/support/every-row.ts';
import { inboundMessage } from '#test/support/messages.ts';

everyRow(['main', 'finance-desk', 'a:b', '100%', '%3A', '%253A', 'agent:agent', '분석가', '', '🤖:%:'])(
  'finds the agent %j in the key of its conversation',
  (agent) => {
    const agentId = asId<AgentId>(agent);
    expect(agentOf(deriveSessionKey(agentId, inboundMessage()))).toBe(agentId);
  },
);
