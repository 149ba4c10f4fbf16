import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createActs } from './acts.ts';
import type { FakeDiscord, FakeDiscordOptions } from './api.ts';
import { createGateway } from './gateway.ts';
import { createLimits } from './limits.ts';
import { createPeople, speak } from './people.ts';
import { channelOf, createPlaces } from './places.ts';
import { createRest } from './rest.ts';
import { commandRoutes } from './routes-commands.ts';
import { interactionRoutes } from './routes-interactions.ts';
import { messageRoutes } from './routes-messages.ts';
import { placeRoutes } from './routes-places.ts';
import { createState, type MessageState, type State } from './state.ts';
import { seenMessage, seenUser } from './views.ts';

const POLL_MS = 10;

/** Looks again whenever something happened here, and now and then, as it may have happened elsewhere. */
const createUntil = (state: State): FakeDiscord['until'] => {
  const waiting = new Set<() => void>();
  state.onRecord = () => {
    for (const look of waiting) look();
  };
  return (predicate, { timeoutMs = 20_000, what = 'something' } = {}) =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        waiting.delete(look);
        clearInterval(poll);
        clearTimeout(limit);
        act();
      };
      const look = (): void => {
        try {
          const found = predicate();
          if (found !== false && found !== undefined) settle(() => resolve(found));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const poll = setInterval(look, POLL_MS);
      const limit = setTimeout(
        () => settle(() => reject(new Error(`Waited ${timeoutMs} ms in vain for ${what}.`))),
        timeoutMs,
      );
      waiting.add(look);
      look();
    });
};

/** A Discord on loopback, as strict as the real one, for the real client to talk to. It outlives bots. */
export const startFakeDiscord = async (options: FakeDiscordOptions = {}): Promise<FakeDiscord> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state = createState(origin, options);
  const limits = createLimits(state);
  const gateway = createGateway(state, server);
  const routes = [...placeRoutes, ...messageRoutes, ...interactionRoutes, ...commandRoutes];
  const serve = createRest(state, routes, limits);
  server.on('request', (request, response) => void serve(request, response));
  const until = createUntil(state);

  const messagesOf = (channelId: string): readonly MessageState[] => [
    ...(state.channels.get(channelId)?.messages.values() ?? []),
  ];

  return {
    ...createPlaces(state),
    ...createPeople(state),
    ...createActs(state, until),
    apiUrl: `${origin}/api`,
    origin,
    token: state.options.token,
    applicationId: state.applicationId,
    bot: seenUser(state.bot),
    gateway,
    faults: limits.faults,
    history: state.history,
    commands: (guild) => state.commands.get(guild?.id ?? '') ?? [],
    messagesIn: (channelId) => messagesOf(channelId).map((message) => seenMessage(state, message)),
    visibleTo: (userId, channelId) =>
      messagesOf(channelId)
        .filter(({ ephemeralFor }) => ephemeralFor === undefined || ephemeralFor === userId)
        .map((message) => seenMessage(state, message)),
    posted: () =>
      [...state.channels.values()]
        .flatMap(({ messages }) => [...messages.values()])
        .filter(({ author }) => author === state.bot)
        .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
        .map((message) => seenMessage(state, message)),
    sayAsBot: (channel, words) => speak(state, state.bot, channelOf(state, channel.id), words),
    dispatch: (event, data) => state.onDispatch(event, data, undefined),
    onMoment: (callback) => {
      state.onMoment = callback;
    },
    until,
    close: async () => {
      gateway.close();
      const stopped = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await stopped;
    },
  };
};
