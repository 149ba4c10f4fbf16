import { type AgentId, asId } from '#src/core/ids.ts';
import type { InboundMessage } from '#src/core/message.ts';
import type { BindingMatch } from '#src/core/stage.ts';

export type MatchBinding = (message: InboundMessage) => BindingMatch;

/** Every message goes to the one agent there is. */
export const defaultBinding: MatchBinding = () => ({ agentId: asId<AgentId>('main'), matchedBy: 'default' });
