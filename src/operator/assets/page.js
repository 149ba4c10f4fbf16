// Live updates and questions before actions. Without this script, everything else works.

// A part stays as it is while somebody moves in it with the keyboard or selects its text.
const isInUse = (part) => {
  const selection = window.getSelection();
  return (
    part.contains(document.activeElement) ||
    (selection !== null && !selection.isCollapsed && selection.containsNode(part, true))
  );
};

// A table stays where somebody has scrolled it.
const replace = (part, html) => {
  const tables = () => [...part.querySelectorAll('.scroll')];
  const places = tables().map(({ scrollLeft }) => scrollLeft);
  // The server has escaped every value.
  part.innerHTML = html;
  tables().forEach((one, index) => {
    one.scrollLeft = places[index] ?? 0;
  });
};

(() => {
  const main = document.querySelector('main');
  if (!main) return;

  // A reload does not say again what became of a form.
  const here = new URL(location.href);
  if (here.searchParams.has('notice')) {
    here.searchParams.delete('notice');
    history.replaceState(null, '', here);
  }

  const ask = (form, button) => {
    const texts = JSON.parse(main.dataset.confirmTexts);
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-labelledby', 'ask-title');
    const title = document.createElement('h2');
    title.id = 'ask-title';
    title.textContent = texts.title;
    const question = document.createElement('p');
    question.textContent = form.dataset.confirm;
    const yes = document.createElement('button');
    yes.type = 'button';
    yes.className = 'danger';
    yes.textContent = texts.yes;
    const no = document.createElement('button');
    no.type = 'button';
    no.textContent = texts.no;
    const buttons = document.createElement('div');
    buttons.className = 'buttons';
    buttons.append(no, yes);
    dialog.append(title, question, buttons);
    document.body.append(dialog);
    no.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      dialog.remove();
      button?.focus();
    });
    yes.addEventListener('click', () => {
      yes.disabled = true;
      const confirmed = document.createElement('input');
      confirmed.type = 'hidden';
      confirmed.name = 'confirmed';
      confirmed.value = 'yes';
      form.append(confirmed);
      form.requestSubmit(button);
    });
    dialog.showModal();
    no.focus();
  };

  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!form.dataset.confirm || form.querySelector('[name=confirmed]')) return;
    event.preventDefault();
    ask(form, event.submitter);
  });

  const address = main.dataset.events;
  if (!address || !window.EventSource) return;
  const texts = JSON.parse(main.dataset.liveTexts);
  const bar = document.createElement('p');
  bar.className = 'live';
  const state = document.createElement('span');
  const toggle = document.createElement('button');
  toggle.type = 'button';
  bar.append(state, toggle);
  main.querySelector('h1').after(bar);

  const waiting = new Map();
  const showWaiting = () => {
    for (const [id, html] of waiting) {
      const part = main.querySelector(`[data-live="${CSS.escape(id)}"]`);
      if (part && isInUse(part)) continue;
      waiting.delete(id);
      if (part) replace(part, html);
    }
  };
  // The focus is nowhere until the event is over.
  document.addEventListener('focusout', () => setTimeout(showWaiting));
  document.addEventListener('selectionchange', showWaiting);

  // A browser tries again by itself, but not after an answer of a proxy whose bot is being restarted.
  const TRY_AGAIN_MS = 3_000;
  // Something comes every two seconds. A connection over which nothing comes may be dead without the browser knowing.
  const SILENT_MS = 15_000;
  let source;
  let nextTry;
  let silence;
  // Until the person pauses the updates, or the session ends.
  let isWanted = true;
  const show = (name) => {
    bar.dataset.state = name;
    state.textContent = texts[name];
    toggle.textContent = isWanted ? texts.pause : texts.resume;
  };
  const disconnect = () => {
    clearTimeout(nextTry);
    clearTimeout(silence);
    nextTry = undefined;
    source?.close();
    source = undefined;
  };
  const stop = (name) => {
    isWanted = false;
    disconnect();
    show(name);
  };
  const tryAgain = () => {
    disconnect();
    show('lost');
    nextTry = setTimeout(connect, TRY_AGAIN_MS);
  };
  const awaitNext = () => {
    clearTimeout(silence);
    silence = setTimeout(tryAgain, SILENT_MS);
  };
  const connect = () => {
    if (!isWanted || source) return;
    if (!nextTry) show('on');
    // A browser opens six connections to a site: tabs that nobody looks at would keep the others from loading.
    if (document.hidden) return;
    source = new EventSource(address);
    awaitNext();
    source.addEventListener('open', () => show('on'));
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) tryAgain();
      else show('lost');
    });
    source.addEventListener('part', (event) => {
      awaitNext();
      const { id, html } = JSON.parse(event.data);
      waiting.set(id, html);
      showWaiting();
    });
    source.addEventListener('ended', () => {
      stop('ended');
      toggle.remove();
    });
  };
  toggle.addEventListener('click', () => {
    if (isWanted) return stop('off');
    isWanted = true;
    connect();
  });
  document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()));
  window.addEventListener('pagehide', disconnect);
  // Somebody comes back to a page that the browser has kept.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) connect();
  });
  connect();
})();
