import type { FakeView, InteractionHandle, Json } from './api.ts';
import type { Core } from './core.ts';
import { SlackRefusal } from './errors.ts';
import type { EnvelopeType } from './history.ts';
import { Interaction, type Scene } from './interaction.ts';

interface Act {
  readonly envelopeType: Exclude<EnvelopeType, 'events_api'>;
  readonly what: string;
  readonly scene: Scene;
  /** Around the keys that Slack hands out. */
  readonly payload: (interaction: Interaction) => Json;
  readonly onAck?: (payload: Json) => void;
}

/** Knows all interactions by their keys, and the views that they opened. */
export class Desk {
  readonly #core: Core;
  readonly #interactions: Interaction[] = [];
  readonly #views: FakeView[] = [];

  constructor(core: Core) {
    this.#core = core;
  }

  get views(): readonly FakeView[] {
    return this.#views;
  }

  begin({ envelopeType, what, scene, payload, onAck }: Act): Interaction {
    const interaction = new Interaction(this.#core, scene);
    this.#interactions.push(interaction);
    interaction.envelopeId = this.#core.send({
      envelopeType,
      what,
      payload: payload(interaction),
      onAck: (ack) => {
        onAck?.(ack.payload);
        interaction.onAck(ack);
      },
      onGivenUp: () => interaction.onGivenUp(what),
    });
    return interaction;
  }

  byTrigger(triggerId: string): Interaction {
    const found = this.#interactions.find((interaction) => interaction.triggerId === triggerId);
    if (!found) throw new SlackRefusal('invalid_trigger_id');
    return found;
  }

  bySecret(secret: string): Interaction | undefined {
    return this.#interactions.find((interaction) => interaction.secret === secret);
  }

  viewOf({ triggerId }: InteractionHandle): FakeView | undefined {
    return this.#views.findLast((view) => view.triggerId === triggerId);
  }

  openView(view: Json, user: string, triggerId: string): FakeView {
    const id = this.#core.world.newId('V');
    const opened: FakeView = { id, hash: this.#core.world.newTs(), user, triggerId, view };
    this.#views.push(opened);
    this.#core.chronicle.note({ type: 'view-opened', viewId: id });
    return opened;
  }

  /** Everybody has one home tab, which is replaced as a whole. */
  publishHome(view: Json, user: string): FakeView {
    const known = this.homeOf(user);
    return known ? this.updateView(known.id, view) : this.openView(view, user, '');
  }

  homeOf(user: string): FakeView | undefined {
    return this.#views.find((known) => known.user === user && known.view['type'] === 'home');
  }

  updateView(id: string, view: Json, hash?: string): FakeView {
    const index = this.#views.findIndex((known) => known.id === id);
    const known = this.#views[index];
    if (!known) throw new SlackRefusal('not_found');
    if (hash !== undefined && hash !== known.hash) throw new SlackRefusal('hash_conflict');
    const updated: FakeView = { ...known, hash: this.#core.world.newTs(), view };
    this.#views[index] = updated;
    this.#core.chronicle.note({ type: 'view-updated', viewId: id });
    return updated;
  }

  closeView(id: string): void {
    const index = this.#views.findIndex((known) => known.id === id);
    if (index < 0) return;
    this.#views.splice(index, 1);
    this.#core.chronicle.note({ type: 'view-closed', viewId: id });
  }
}
