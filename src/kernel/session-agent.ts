import { type AgentId, asId, type SessionKey } from './ids.ts';

/** The agent that a conversation belongs to: the part of its key behind `agent:`. */
export const agentOf = (sessionKey: SessionKey): AgentId => {
  const [, agent = ''] = sessionKey.split(':');
  return asId<AgentId>(agent.replaceAll('%3A', ':').replaceAll('%25', '%'));
};
