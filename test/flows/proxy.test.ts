import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFakeOpenAi } from '#test/fakes/openai/server.ts';
import { startFakeCollector } from '#test/fakes/otlp.ts';
import type { FakeProxy } from '#test/fakes/proxy.ts';
import { sortByProxy, watchAccepted } from '#test/support/accepted-connections.ts';
import { answer, callsTool } from '#test/support/engine-app.ts';
import { startLiveMarket } from '#test/support/live-market.ts';
import { discordKit, openDiscord } from '#test/support/platforms/discord.ts';
import type { Platform, PlatformKit } from '#test/support/platforms/driver.ts';
import { openSlack, slackKit } from '#test/support/platforms/slack.ts';
import { ECHO, eventually, readIn, startTalk, type TalkOptions } from '#test/support/platforms/talk.ts';
import { openFakeProxy } from '#test/support/use-fake-proxy.ts';
import { fetches, startStranger } from '#test/support/stranger.ts';

/** How often somebody in this process has tried to reach the proxy. */
const countAttempts = ({ port }: FakeProxy): (() => number) => {
  let count = 0;
  const look = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('connectionAttempt', (_address, to) => {
      if (to === port) count += 1;
    });
  };
  subscribe('net.client.socket', look);
  onTestFinished(() => void unsubscribe('net.client.socket', look));
  return () => count;
};

const through = ({ url }: FakeProxy): NodeJS.ProcessEnv => ({ HTTPS_PROXY: url, HTTP_PROXY: url });

const startOn = async <Opened extends Platform>(kit: PlatformKit, platform: Opened, options: TalkOptions) => {
  const talk = await startTalk({ ...kit, open: async () => platform }, options);
  onTestFinished(talk.close);
  const ann = platform.addPerson('ann');
  const direct = platform.direct(ann);
  const converse = async (words: string): Promise<void> => {
    platform.say(ann, direct, words);
    await talk.sees(ann, direct, `${ECHO}${words}`);
  };
  return { ...talk, platform, ann, direct, converse };
};

const PLATFORMS = [
  [
    'discord',
    async (options: TalkOptions) => {
      const platform = await openDiscord();
      const started = await startOn(discordKit, platform, options);
      const { port } = new URL(platform.fake.origin);
      return { ...started, socket: { kind: 'tunnel', target: `127.0.0.1:${port}` } };
    },
  ],
  [
    'slack',
    async (options: TalkOptions) => {
      const platform = await openSlack();
      const started = await startOn(slackKit, platform, options);
      const { port } = new URL(platform.fake.apiUrl);
      return { ...started, socket: { kind: 'tunnel', target: `127.0.0.1:${port}` } };
    },
  ],
] as const;

describe.each(PLATFORMS)('a bot behind a proxy, on %s', (_name, start) => {
  it('reaches everything through it, and nothing past it', async () => {
    const accepted = watchAccepted();
    const proxy = await openFakeProxy({ login: 'bot:geheim-proxy-5555' });
    const [market, site, gpt, collector] = [
      await startLiveMarket(),
      await startStranger(() => ({ '/article': '<p>Markets were calm.</p>' })),
      await startFakeOpenAi(),
      await startFakeCollector(),
    ];
    onTestFinished(gpt.close);
    onTestFinished(collector.close);
    const { platform, claude, ann, direct, converse, sees, log, stop, socket } = await start({
      web: site.web,
      env: {
        ...market.env,
        ...through(proxy),
        OPENAI_API_KEY: 'geheim-gpt-eins-3333',
        OPENAI_BASE_URL: gpt.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
      config: () => ({ tools: { rules: [{ pattern: 'fetch_url', verdict: 'allow' }] } }),
    });
    await converse('hello');

    claude.reply(callsTool('AAPL', 'KRW-BTC'), fetches(site.at('/article')), answer('All is well.'));
    platform.say(ann, direct, 'How is the market?');
    await sees(ann, direct, 'All is well.');
    expect(site.paths()).toEqual(['/article']);

    gpt.speak({ kind: 'words', text: 'What did I say?' });
    const spoken = { mimeType: 'audio/ogg', bytes: Buffer.from('a recording'), spokenMs: 2_500 };
    platform.say(ann, direct, '', { files: [{ name: 'voice-message.ogg', ...spoken }] });
    await sees(ann, direct, 'You said: What did I say?');

    const notes = { name: 'notes.txt', mimeType: 'text/plain', bytes: 'Buy low.' };
    platform.say(ann, direct, 'What is in here?', { files: [notes] });
    await eventually(() => claude.history.some(({ body }) => readIn(body).includes('Buy low.')));

    platform.say(ann, direct, '/chart AAPL');
    await sees(ann, direct, ({ files }) => files.length > 0);

    await stop();
    expect(collector.spans.length).toBeGreaterThan(0);
    const { through: passed, past } = sortByProxy(accepted, proxy);
    expect(past).toEqual([]);
    expect(passed).toHaveLength(proxy.ownPorts.size);
    expect(proxy.history.filter(({ kind }) => kind === 'tunnel')).toContainEqual(socket);
    const servers = new Set(passed.map(({ server }) => server));
    for (const url of [market.yahoo.url, market.upbit.url, gpt.url, collector.url, site.at('/')])
      expect(servers, url).toContain(Number(new URL(url).port));
    expect(log.join()).toContain(`Outbound connections go through the proxy 127.0.0.1:${proxy.port}`);
    expect(log.join()).not.toContain('geheim-proxy');
    expect(platform.offences()).toEqual([]);
  });

  it('connects again when the proxy drops its socket', async () => {
    const accepted = watchAccepted();
    const proxy = await openFakeProxy();
    const { converse, socket } = await start({ env: through(proxy) });
    const tunnels = (): number =>
      proxy.history.filter(({ kind, target }) => kind === 'tunnel' && target === socket.target).length;
    await converse('before');
    const before = tunnels();
    proxy.dropTunnels();
    await eventually(() => tunnels() > before);
    await converse('after');
    expect(sortByProxy(accepted, proxy).past).toEqual([]);
  });

  it('says once that the proxy is down, at the start or later, and goes on when it is back', async () => {
    const accepted = watchAccepted();
    const proxy = await openFakeProxy();
    const attempts = countAttempts(proxy);
    const isTriedAgain = async (): Promise<void> => {
      const before = attempts();
      await eventually(() => attempts() > before + 2);
    };
    await proxy.goDown();
    const starting = start({ env: through(proxy) });
    await isTriedAgain();
    await proxy.comeBack();
    const { platform, ann, direct, converse, sees, log } = await starting;
    await converse('hello');

    await proxy.goDown();
    platform.say(ann, direct, 'while it is down');
    await isTriedAgain();
    await proxy.comeBack();
    await sees(ann, direct, `${ECHO}while it is down`);
    const told = log.filter((line) => line.includes('"logger":"proxy"')).map((line) => JSON.parse(line).msg);
    const name = `The proxy 127.0.0.1:${proxy.port}`;
    const down = `${name} cannot be reached (ECONNREFUSED). Until it is back, the bot reaches no platform, model or market through it.`;
    const back = `${name} can be reached again.`;
    expect(told.slice(1)).toEqual([down, back, down, back]);
    expect(sortByProxy(accepted, proxy).past).toEqual([]);
  });

  it('goes past the proxy to the hosts of NO_PROXY alone', async () => {
    const accepted = watchAccepted();
    const proxy = await openFakeProxy();
    const { converse } = await start({ env: { ...through(proxy), NO_PROXY: '10.0.0.0/8, 127.0.0.1' } });
    await converse('hello');
    expect(proxy.history).toEqual([]);
    expect(sortByProxy(accepted, proxy).past.length).toBeGreaterThan(0);
  });
});
