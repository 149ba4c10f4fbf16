import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import { approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import type { AccountReads } from '#src/kernel/operations/audit.ts';
import type { AgentId } from '#src/kernel/ids.ts';
import type { ChatPlace } from '#src/kernel/chat/message.ts';
import type { ToolCall } from '#src/kernel/agent/model.ts';
import { agentOf } from '#src/kernel/agent/agent-settings.ts';
import {
  type ApprovalNeed,
  type PreparedCall,
  type RegisteredToolDefinition,
  summaryOf,
  type Tool,
  type ToolExecutionContext,
  type ToolResult,
  type ToolResultCode,
} from '#src/kernel/agent/tool.ts';
import type { Hooks } from '#src/platform/plugins/hook-runner.ts';
import { estimateTokens } from '../tokens.ts';
import { NO_LIMITS } from './agent-limits.ts';
import type { ToolApprovals } from './approvals.ts';
import type { ApprovalDecision, GatedCall } from './approval-decision.ts';
import { withToolTimeout } from './tool-timeout.ts';
import type { LoopDetector } from './loop-detector.ts';
import { describeTools, STAND_INS, unwrapCall } from './on-demand-tools.ts';
import { evaluateToolPolicy, policyContextOf, type PolicyEvaluationResult } from './policy.ts';
import { isHiddenInChat } from './policy-rules.ts';
import type { RedactPattern } from './redaction/redaction.ts';
import type { RegisteredTool, ToolRegistry, ToolRegistryDeps, ToolSource } from './tool-registry.ts';
import { type GuardedToolResult, guardSentence, guardToolResult } from './result-guard.ts';

/**
 * Runs a call through policy, hooks, approval, the tool and the result guard. Every outcome is a result; only
 * the caller's abort rejects.
 */
export type ExecuteTool = (
  call: ToolCall,
  context: ToolExecutionContext,
  signal: AbortSignal,
) => Promise<GuardedToolResult>;

export interface CallExecutionDeps extends ToolRegistryDeps {
  readonly loops: LoopDetector;
  readonly approvals: Pick<ToolApprovals, 'requireApproval' | 'recallApproval'>;
  readonly hooks: Pick<Hooks, 'beforeToolExecute' | 'afterToolExecute'>;
  /** Additional patterns to mask in every result. Default: none. */
  readonly redactPatterns?: readonly RedactPattern[];
  /** Without it, reads of personal data are not logged. */
  readonly reads?: AccountReads;
}

const DOUBT = '. It is not known whether it took effect: do not repeat it, and tell the person to check.';

/** The circuit breaker is open. */
const isTurnedAway = (error: unknown): boolean =>
  error instanceof FinClawError && error.code === 'CIRCUIT_OPEN';

const whyAsked = (
  { isTransactional, accessesSensitiveData }: RegisteredToolDefinition,
  isLooping: boolean,
): GatedCall['why'] => {
  if (isTransactional) return accessesSensitiveData ? 'own' : 'transactional';
  return isLooping ? 'loop' : 'policy';
};

const placeOf = (context: ToolExecutionContext): ChatPlace => ({ ...context, chatId: context.target.chatId });

/** If the check itself fails, approval is required. */
const needOf = (tool: Tool, input: unknown, context: ToolExecutionContext): ApprovalNeed | undefined => {
  try {
    return tool.approvalFor?.(input, context);
  } catch {
    return {
      reason: 'The tool could not say whether this call needs approval.',
      words: approvalTexts(context.locale).why.policy(),
    };
  }
};

/** Adds the input schema to the error, because a model calls tools on demand without having seen it. */
const withInputOf = (
  { definition: { inputSchema } }: Tool,
  problem: string,
  { model }: ToolExecutionContext,
): string => {
  const schema = JSON.stringify(inputSchema);
  const hasRoom = model !== undefined && estimateTokens(schema, 'json') <= model.resultTokens / 2;
  return hasRoom ? `${problem}\nIts input: ${schema}` : problem;
};

/** Unwraps a call and runs it through policy, plugin hooks, approval, the tool and the result guard. */
export const createCallExecution = (
  registry: Pick<ToolRegistry, 'get' | 'list' | 'onDemand'>,
  deps: CallExecutionDeps,
): ExecuteTool => {
  const { rules, groups, agents = NO_LIMITS, loops, hooks, events } = deps;

  const results = createResults(deps);
  const { failed, finished, denied } = results;

  const verdictOn = (
    { tool }: RegisteredTool,
    context: ToolExecutionContext,
    about: { readonly isLooping?: string | undefined; readonly toolAsks?: string | undefined } = {},
  ): PolicyEvaluationResult =>
    evaluateToolPolicy(policyContextOf(tool.definition, context, agents, about), rules, groups);

  /** The policy does not cover `find_tools` and `call_tool`, but an agent may be denied them. */
  const objectionToStandIn = (name: string, agentId: AgentId): string | undefined =>
    STAND_INS.has(name) ? agents.objectionTo(agentId, { name, group: 'system' }) : undefined;

  const find = (query: string, context: ToolExecutionContext): GuardedToolResult => {
    const { sessionKey, model } = context;
    const found = registry
      .onDemand(agentOf(sessionKey), placeOf(context), model?.toolTokens)
      .flatMap((registered) => {
        const { finalVerdict } = verdictOn(registered, context);
        if (finalVerdict === 'deny') return [];
        const { definition } = registered.tool;
        return [{ definition, asksFirst: finalVerdict === 'require-approval' }];
      });
    return guardSentence(describeTools(found, query, model?.resultTokens), { isError: false });
  };

  const run = createRun(deps, results);

  const execute = async (
    call: ToolCall,
    registered: RegisteredTool,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ): Promise<GuardedToolResult> => {
    const { tool } = registered;
    const { name, isTransactional } = tool.definition;
    const problem = tool.problemWith(call.input);
    if (problem !== undefined) return failed(withInputOf(tool, problem, context), 'invalid-input');

    const loop = loops.record(context.turnId, name, call.input);
    if (loop) events.emit('tool:loop', { name, sessionKey: context.sessionKey, kind: loop.kind });
    const verdictFor = (need: ApprovalNeed | undefined): PolicyEvaluationResult =>
      verdictOn(registered, context, { isLooping: loop?.reason, toolAsks: need?.reason });
    const asked = needOf(tool, call.input, context);
    const verdict = verdictFor(asked);
    const { finalVerdict, decidingStage, reason } = verdict;
    events.emit('tool:policy:verdict', { name, verdict: finalVerdict, stage: decidingStage });
    if (finalVerdict === 'deny') return denied(name, reason, decidingStage);

    const before = await hooks.beforeToolExecute.fire({ toolName: name, input: call.input, context });
    if (before.skip)
      return finished(name, before.skipResult ?? { content: 'Skipped', isError: false }, 'plugin', signal);
    const { input } = before;
    const changed = input === call.input ? undefined : tool.problemWith(input);
    if (changed !== undefined) return failed(changed, 'invalid-input');
    // A plugin hook may have changed the input.
    const need = input === call.input ? asked : needOf(tool, input, context);

    const decision = await decisionFor(
      deps,
      tool,
      need === asked ? verdict : verdictFor(need),
      {
        callId: call.id,
        toolName: name,
        input,
        why: whyAsked(tool.definition, loop !== undefined),
        whyThisCall: loop === undefined ? need?.words : undefined,
        note: verdict.note,
        isTransactional,
      },
      context,
      signal,
    );
    if (decision.status === 'impossible') return finished(name, decision.result, registered.source, signal);
    if (decision.status === 'waiting')
      return guardSentence('Waits for a decision', { isError: false, isSuspended: true });
    if (decision.status === 'refused') return failed(`Not done: ${decision.why}.`, decision.code);
    if (loop) loops.forget(context.turnId);
    return run(registered, input, context, signal);
  };

  return async (asked, context, signal) => {
    signal.throwIfAborted();
    const agentId = agentOf(context.sessionKey);
    const objection = objectionToStandIn(asked.name, agentId);
    if (objection !== undefined) return denied(asked.name, objection, 'global-deny');
    const unwrapped = unwrapCall(asked);
    if (unwrapped.status === 'invalid')
      return failed(`Invalid input for ${asked.name}: ${unwrapped.problem}`, 'invalid-input');
    if (unwrapped.status === 'find') return find(unwrapped.query, context);
    const { call } = unwrapped;
    const registered = registry.get(call.name);
    if (registered) {
      try {
        return await execute(call, registered, context, signal);
      } catch (error) {
        signal.throwIfAborted();
        return failed(`The tool ${call.name} could not be called: ${errorMessage(error)}`, 'tool-failed');
      }
    }
    const place = placeOf(context);
    const names = registry
      .list()
      .flatMap(({ tool: { definition } }) =>
        agents.objectionTo(agentId, definition) === undefined && !isHiddenInChat(definition, place, rules)
          ? [definition.name]
          : [],
      );
    return failed(`There is no tool "${call.name}". Available: ${names.join(', ')}`, 'unknown-tool');
  };
};

/** Results as the model reads them, all of them guarded. */
const createResults = ({ redactPatterns = [], events }: CallExecutionDeps) => {
  const guardOptions = { redactPatterns };
  const failed = (content: string, code: ToolResultCode): GuardedToolResult =>
    guardSentence(content, { isError: true, code }, guardOptions);

  /**
   * Only an approval may suspend a run: a tool or plugin that returns this status would wait for nobody. A
   * plugin cannot vouch for web addresses, displays and receipts, because its result may contain the model's text.
   */
  const finished = async (
    name: string,
    returned: unknown,
    madeBy: ToolSource,
    signal: AbortSignal,
  ): Promise<GuardedToolResult> => {
    const guarded = await guardToolResult(returned, signal, guardOptions);
    const { isSuspended: _never, linkSource: _read, links, display, brief, receipt, code, ...rest } = guarded;
    const ours = {
      ...(brief !== undefined && { brief }),
      ...(links && { links }),
      ...(display && { display }),
      ...(receipt && { receipt }),
      ...(code && { code }),
    };
    const result = { ...rest, ...(madeBy === 'built-in' && ours) };
    const { masked, wasTruncated, originalSize, guardedSize } = result;
    if (wasTruncated || Object.keys(masked).length > 0)
      events.emit('tool:guard', { name, masked, cutChars: wasTruncated ? originalSize - guardedSize : 0 });
    return result;
  };

  const denied = (name: string, reason: string, stage: string): GuardedToolResult => {
    events.emit('tool:policy:deny', { name, reason });
    return failed(
      `The tool ${name} may not be used here: ${reason} (${stage}). Do not try again.`,
      'not-allowed',
    );
  };

  return { failed, finished, denied };
};

type Results = ReturnType<typeof createResults>;

/** Runs a call that may be made. */
const createRun = (deps: CallExecutionDeps, { failed, finished }: Results) => {
  const { hooks, reads, clock, events } = deps;
  const run = async (
    { tool, source, breaker }: RegisteredTool,
    input: unknown,
    context: ToolExecutionContext,
    signal: AbortSignal,
  ): Promise<GuardedToolResult> => {
    const { name } = tool.definition;
    const { sessionKey, inboxId } = context;
    const startedAtMs = clock.monotonicMs();
    const elapsedMs = (): number => clock.monotonicMs() - startedAtMs;
    events.emit('tool:execute:start', { name, sessionKey });
    // Runs concurrently with the tool, at no extra time.
    const noted = tool.definition.accessesSensitiveData ? reads?.note(name, context) : undefined;
    let result: GuardedToolResult;
    try {
      const invoke = (): Promise<ToolResult> =>
        withToolTimeout(
          tool.definition,
          (inner) => tool.invoke(input, context, inner),
          context,
          deps,
          signal,
        );
      // A call that has ended keeps its result, also where the run is aborted meanwhile.
      const returned = await (breaker ? breaker.run(invoke) : invoke());
      result = await finished(name, returned, source, NEVER_ABORTED);
      const { isError } = result;
      events.emit('tool:execute:end', { name, sessionKey, inboxId, durationMs: elapsedMs(), isError });
    } catch (error) {
      signal.throwIfAborted();
      events.emit('tool:execute:error', {
        name,
        sessionKey,
        inboxId,
        durationMs: elapsedMs(),
        error: errorMessage(error),
      });
      const doubt = tool.definition.isTransactional && !isTurnedAway(error) ? DOUBT : '';
      result = failed(
        `The tool ${name} failed: ${errorMessage(error)}${doubt}`,
        doubt === '' ? 'tool-failed' : 'maybe-done',
      );
    }
    await noted;
    const durationMs = elapsedMs();
    const after = await hooks.afterToolExecute.fire({ toolName: name, input, context, result, durationMs });
    if (after.result === result) return result;
    // A plugin's replacement is guarded like any result. The links and the receipt stay those of the tool.
    const { links, receipt } = result;
    const kept = { ...(links && { links }), ...(receipt && { receipt }) };
    return { ...(await finished(name, after.result, 'plugin', signal)), ...kept };
  };

  return run;
};

/** An earlier decision of a person about this call overrides the current policy. */
const decisionFor = async (
  deps: CallExecutionDeps,
  tool: Tool,
  verdict: PolicyEvaluationResult,
  call: GatedCall,
  context: ToolExecutionContext,
  signal: AbortSignal,
): Promise<ApprovalDecision | { readonly status: 'impossible'; readonly result: ToolResult }> => {
  const earlier = context.isResumed ? await deps.approvals.recallApproval(call, context) : undefined;
  if (earlier) return earlier;
  if (verdict.finalVerdict !== 'require-approval') return { status: 'approved' };
  const { prepare } = tool;
  // A tool that can validates the call before a person is asked.
  const prepared: PreparedCall = prepare
    ? await withToolTimeout(
        tool.definition,
        (inner) => prepare(call.input, context, inner),
        context,
        deps,
        signal,
      )
    : { status: 'ready', summary: summaryOf(tool, call.input, context.locale) };
  if (prepared.status === 'refused') return { status: 'impossible', result: prepared.result };
  return deps.approvals.requireApproval({ ...call, summary: prepared.summary }, context);
};
