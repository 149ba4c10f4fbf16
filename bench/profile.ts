import { Session } from 'node:inspector/promises';

const SAMPLE_US = 200;

/** Whose code a function is. */
const ownerOf = (url: string, functionName: string): string => {
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (inPackage) return inPackage;
  if (url.includes('/src/agent/providers/')) return 'our providers';
  if (url.includes('/src/')) return 'our engine';
  if (url.includes('/bench/')) return 'the benchmark';
  if (/^node:(?:_?http|net|internal\/(?:http|streams|stream_base|net|url|timers|dns))/.test(url))
    return "Node's http and streams";
  if (url.startsWith('node:')) return 'other parts of Node';
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(idle)') return 'idle';
  return 'the engine of Node (system calls, JSON)';
};

/** Where the CPU goes while `work` runs: shares of its busy time, the largest first. */
export const profileOf = async (work: () => Promise<unknown>): Promise<string> => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const shares = new Map<string, number>();
  for (const id of profile.samples ?? []) {
    const frame = nodes.get(id);
    const owner = ownerOf(frame?.url ?? '', frame?.functionName ?? '');
    if (owner !== 'idle') shares.set(owner, (shares.get(owner) ?? 0) + 1);
  }
  const busy = [...shares.values()].reduce((sum, count) => sum + count, 0);
  return [...shares]
    .toSorted(([, a], [, b]) => b - a)
    .filter(([, count]) => count / busy >= 0.01)
    .map(([owner, count]) => `${owner} ${((100 * count) / busy).toFixed(0)} %`)
    .join(', ');
};
