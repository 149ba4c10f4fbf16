import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createActs } from './acts.ts';
import type { FakeSlack, Json } from './api.ts';
import { Chronicle } from './chronicle.ts';
import type { Core, Settings } from './core.ts';
import { Courier } from './courier.ts';
import { Desk } from './desk.ts';
import { type GatewayDeps, serve } from './gateway.ts';
import { HttpRequests } from './http-requests.ts';
import { Limits } from './limits.ts';
import type { Methods } from './method.ts';
import { chatStreamMethods } from './methods/chat-stream.ts';
import { assistantMethods } from './methods/assistant.ts';
import { chatMethods } from './methods/chat.ts';
import { conversationMethods } from './methods/conversations.ts';
import { fileMethods } from './methods/files.ts';
import { identityMethods } from './methods/identity.ts';
import { reactionMethods } from './methods/reactions.ts';
import { viewMethods } from './methods/views.ts';
import type { FakeSlackOptions } from './options.ts';
import { createPeople } from './people.ts';
import { pingedBy, rungBy, seenOf } from './render.ts';
import { ALL_SCOPES } from './scopes.ts';
import { Sockets } from './sockets.ts';
import { Uploads } from './uploads.ts';
import { APP_ID, BOT, type StoredMessage, TEAM, World } from './world.ts';

const settingsOf = (options: FakeSlackOptions): Settings => ({
  clock: systemClock,
  botToken: 'xoxb-fake-bot-token',
  appToken: 'xapp-1-fake-app-token',
  signingSecret: 'fake-signing-secret',
  scopes: ALL_SCOPES,
  ackTimeoutMs: 3_000,
  redeliverAfterMs: [3_000, 60_000, 300_000],
  whileDisconnected: 'keep',
  pingIntervalMs: 2_000,
  messageBurst: 4,
  streamExpiresAfterMs: 300_000,
  callDelayMs: 0,
  ...options,
});

type Looking = Pick<
  FakeSlack,
  'messagesIn' | 'messageAt' | 'botMessagesIn' | 'statusOf' | 'assistantOf' | 'pinged' | 'rung'
>;

const createLooking = (world: World): Looking => {
  const seen = (messages: readonly StoredMessage[]) => messages.map((message) => seenOf(world, message));
  return {
    messagesIn: (channel, thread) =>
      seen(
        world
          .messagesIn(channel)
          .filter(({ ts, threadTs, isBroadcast }) =>
            thread === undefined
              ? threadTs === undefined || isBroadcast
              : ts === thread || threadTs === thread,
          ),
      ),
    messageAt: (ref) => {
      const message = world.messageAt(ref);
      return message && seenOf(world, message);
    },
    botMessagesIn: (channel) => seen(world.messagesIn(channel).filter(({ user }) => user === BOT.userId)),
    assistantOf: (channel, threadTs) => world.assistantThreads.get(`${channel} ${threadTs}`) ?? {},
    statusOf: (channel, threadTs) => world.statuses.get(`${channel} ${threadTs}`) ?? '',
    pinged: (message) => pingedBy({ ...message, blocks: message.blocks, attachments: message.attachments }),
    rung: rungBy,
  };
};

/** A Slack on loopback, as strict as the real one, for the real Bolt to talk to. It outlives bots. */
export const startFakeSlack = async (options: FakeSlackOptions = {}): Promise<FakeSlack> => {
  const settings = settingsOf(options);
  const { clock } = settings;
  const server = createServer((request, response) => void serve(deps, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  let { scopes } = settings;
  let tokenError: string | undefined;
  const chronicle = new Chronicle(clock, options.onMoment);
  const world = new World(clock, url);
  const core: Core = { settings, clock, chronicle, world, url, send: (parcel) => courier.send(parcel) };
  const courier = new Courier(core, (frame) => (http ?? sockets).carry(frame));
  const sockets = new Sockets({
    core,
    onOpen: () => courier.flush(),
    onFrame: (envelopeId, payload) => courier.hear(envelopeId, payload),
  });
  const http =
    settings.requestUrl === undefined
      ? undefined
      : new HttpRequests(
          {
            core,
            onAck: (envelopeId, payload) => courier.hear(envelopeId, payload),
            onFailure: (envelopeId, reason) => courier.fail(envelopeId, reason),
          },
          settings.requestUrl,
        );
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));

  const [desk, uploads, limits] = [new Desk(core), new Uploads(core), new Limits(core)];
  const methods: Methods = {
    'apps.connections.open': { scopes: [], run: () => ({ url: sockets.invite() }) },
    ...identityMethods,
    ...assistantMethods,
    ...chatMethods,
    ...chatStreamMethods,
    ...reactionMethods,
    ...conversationMethods,
    ...fileMethods(uploads),
    ...viewMethods(desk),
  };
  const access = { scopes: () => scopes, tokenError: () => tokenError };
  const deps: GatewayDeps = { core, limits, methods, access, desk, uploads };

  const alice = world.addUser({ name: 'alice', realName: 'Alice Kim' });
  const membersByDefault = [alice.id, BOT.userId];
  const general = world.addChannel({ name: 'general', members: membersByDefault });

  return {
    url,
    apiUrl: `${url}/api/`,
    botToken: settings.botToken,
    appToken: settings.appToken,
    signingSecret: settings.signingSecret,
    appId: APP_ID,
    team: TEAM,
    bot: BOT,
    general,
    alice,
    addUser: (user) => world.addUser(user),
    changeUser: (id, change) => world.changeUser(id, change),
    addChannel: (channel) => world.addChannel({ members: membersByDefault, ...channel }),
    changeChannel: (id, change) => world.changeChannel(id, change),
    directOf: (user) => world.directOf(user),
    setScopes: (next) => {
      scopes = next;
    },
    breakToken: (error) => {
      tokenError = error;
    },
    ...createPeople(core),
    ...createActs(core, desk),
    repeat: (eventId) => courier.repeat(eventId),
    verifyUrl: async () => (await http?.verify()) ?? false,
    raw: (frame) => void sockets.carry(frame as Json),
    deliver: (envelopeType, payload) =>
      void courier.send({ envelopeType, what: 'anything', payload: payload as Json }),
    fail: (method, fault, scope) => limits.fail(method, fault, scope),
    sockets: sockets.control,
    onMoment: (callback) => chronicle.setOnMoment(callback),
    history: chronicle.history,
    ...createLooking(world),
    views: desk.views,
    homeOf: (user) => desk.homeOf(user),
    viewOf: (handle) => desk.viewOf(handle),
    get pending() {
      return courier.pending;
    },
    until: (predicate, how) => chronicle.until(predicate, how),
    close: async () => {
      courier.close();
      http?.close();
      sockets.close();
      const stopped = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await stopped;
    },
  };
};
