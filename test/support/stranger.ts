import type { AppDeps } from '#src/app.ts';
import { HTML, type Listener, startSite, webOf } from '#test/agent/tools/general/web-support.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';

/** The model asks for these pages. */
export const fetches = (...urls: readonly string[]): FakeReply => ({
  kind: 'answer',
  toolCalls: urls.map((url) => ({ name: 'fetch_url', input: { url } })),
});

const page =
  (pages: Readonly<Record<string, string>>): Listener =>
  ({ url = '' }, response) => {
    response.writeHead(200, HTML);
    response.end(pages[url] ?? '<p>Nothing here.</p>');
  };

export interface Stranger {
  readonly at: (path: string) => string;
  readonly web: NonNullable<AppDeps['web']>;
  readonly port: number;
  /** What was asked of the server, in order. */
  readonly paths: () => readonly string[];
}

/** A stranger's server that the bot takes for one on the public web. */
export const startStranger = async (
  pages: (at: (path: string) => string) => Readonly<Record<string, string>> = () => ({}),
): Promise<Stranger> => {
  const served: { listener?: Listener } = {};
  const site = await startSite((request, response) => served.listener?.(request, response));
  const at = (path: string): string => site.at('stranger.example', path);
  served.listener = page(pages(at));
  const { lookup, isPublicAddress, allowedPorts } = webOf([site.port]).deps;
  const web = {
    ...(lookup && { lookup }),
    ...(isPublicAddress && { isPublicAddress }),
    ...(allowedPorts && { allowedPorts }),
  };
  return { at, web, port: site.port, paths: () => site.requests.map(({ url = '' }) => url) };
};
