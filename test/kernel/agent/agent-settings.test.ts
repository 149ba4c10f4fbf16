import { describe, expect, it } from 'vitest';
import { agentOf, agentSettingsOf, type AgentTable } from '#src/kernel/agent/agent-settings.ts';
import { type AgentId, asId } from '#src/kernel/ids.ts';
import { deriveSessionKey } from '#src/chat/context/session-key.ts';
import { everyRow } from '#test/support/every-row.ts';
import { inboundMessage } from '#test/support/messages.ts';

const of = (agents: AgentTable, id: string) => agentSettingsOf(agents, asId<AgentId>(id));

describe('the settings of an agent', () => {
  it('are its own, and nothing of the main agent is mixed in', () => {
    const agents = { main: { model: 'opus', maxTurns: 3 }, research: { maxTurns: 20 } };
    expect(of(agents, 'research')).toEqual({ maxTurns: 20 });
    expect(of(agents, 'main')).toEqual({ model: 'opus', maxTurns: 3 });
  });

  it('are empty where nothing was set, also for a name that every object has', () => {
    expect(of({}, 'main')).toEqual({});
    expect(of({}, 'constructor')).toEqual({});
    expect(of({ constructor: { maxTurns: 2 } }, 'constructor')).toEqual({ maxTurns: 2 });
  });

  it('are those of the main agent for one that the configuration no longer has', () => {
    expect(of({ main: { tools: { deny: ['fetch_url'] } } }, 'retired')).toEqual({
      tools: { deny: ['fetch_url'] },
    });
  });
});

everyRow(['main', 'finance-desk', 'a:b', '100%', '%3A', '%253A', 'agent:agent', '분석가', '', '🤖:%:'])(
  'finds the agent %j in the key of its conversation',
  (agent) => {
    const agentId = asId<AgentId>(agent);
    expect(agentOf(deriveSessionKey(agentId, inboundMessage()))).toBe(agentId);
  },
);
