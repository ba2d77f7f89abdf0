// The status page: asks the bridge every two seconds, and shows what it says. It keeps nothing.
import { showCharts } from './history.js';
import { count, plural, time, delay, make, say, prose, keep } from './elements.js';

const interval = 2000;
const shownPartitions = 50;
const pauses = {
  operator: 'by an operator',
  window_full: 'enough pushes are in flight, or wait to be sent',
  suspended_app: 'too many pushes wait for a suspended app',
  no_room_to_wait: 'no room for more waiting records',
  not_due: 'the next retry is not due',
  no_room_in_commit: 'a commit has no room for more',
  uncommitted: 'waiting for commits',
  one_at_a_time: 'a record is taken alone after crashes',
  revoked: 'revoked: finishing what is in flight',
  replaced: 'its log was replaced: finishing what is in flight',
};

/** The kinds of problems in which events are lost. */
const losses = ['records_gone', 'position_reset'];

const $ = id => document.getElementById(id);
let token = null;
let lastStatus = null;
let lastSuccess = null;

// Requests

async function ask(path, method = 'GET') {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  // Relative, so that a proxy may serve the page below a path of its own.
  const response = await fetch(path, { method, headers, signal: AbortSignal.timeout(60_000) });
  if (response.status === 401) throw Object.assign(new Error('locked'), { isLocked: true });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const words = [body.error ?? `the bridge responded with ${response.status}`, body.remedy];
  throw new Error(words.filter(Boolean).join(': '));
}

/** Waits until a dialog is closed; true when it was not cancelled. */
function decision(dialog) {
  // The event of an earlier closing may come after the dialog is open again.
  dialog.onclose?.();
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise(resolve => {
    dialog.onclose = () => { if (!dialog.open) resolve(dialog.returnValue === 'yes'); };
  });
}

let asking = null;
/** Asks for the token; true when one was given. Whoever needs it meanwhile waits for the same. */
function login() {
  asking ??= askForToken().finally(() => { asking = null; });
  return asking;
}

async function askForToken() {
  $('wrong').hidden = token === null;
  const isGiven = await decision($('login'));
  // A header cannot carry other characters.
  token = isGiven ? $('token').value.trim().replace(/[^\x21-\x7e]/g, '?') : null;
  $('token').value = '';
  return isGiven;
}

/** Gives an order; asks for the token if that is another one by now. */
async function give(order) {
  for (;;) {
    try {
      return await ask(order, 'POST');
    } catch (error) {
      if (!error.isLocked) throw error;
      if (!await login()) throw new Error('Nothing was done: a token is required.');
    }
  }
}

let messageTimer;
function show(message) {
  say($('message'), message);
  $('message').hidden = false;
  clearTimeout(messageTimer);
  messageTimer = setTimeout(() => { $('message').hidden = true; }, 8000);
}

// What an operator may do

const actions = {
  pause: {
    label: 'Pause',
    question: name => `Pause ${name}?`,
    effect: 'It stops taking records and sending pushes, in this process only and until it ends. '
      + 'What is in flight ends, what was taken waits, and other records wait in Kafka.',
    done: name => `${name} is paused.`,
  },
  resume: {
    label: 'Resume',
    question: name => `Resume ${name}?`,
    effect: 'It takes records again, beginning with those that have waited.',
    done: name => `${name} takes records again.`,
  },
  'guard/release': {
    label: 'Release guard',
    question: (name, app) => `Release the guard of ${app}?`,
    effect: 'Do this only if the responses of APNs are right: the withheld verdicts are '
      + 'published, and readers of the unregistered topic may delete those device tokens. '
      + 'It cannot be undone, and concerns this process only: others have guards of their own.',
    done: (name, app) => `The guard of ${app} is released.`,
  },
};

async function perform(action, connector, app) {
  const order = actions[action];
  say($('question'), order.question(connector, app));
  say($('effect'), order.effect);
  say($('yes'), order.label);
  const isSure = await decision($('confirm'));
  keepFocus();
  if (!isSure) return;
  const place = [connector, ...(app ? ['apps', app] : [])].map(encodeURIComponent);
  try {
    await give(`connectors/${place.join('/')}/${action}`);
    show(order.done(connector, app));
  } catch (error) {
    show(error.message);
  }
  update();
}

function button(action, connector, app) {
  const words = actions[action].label;
  return make('button', {
    type: 'button', ariaLabel: `${words}: ${app ?? connector}`,
    onclick: () => perform(action, connector, app),
  }, words);
}

// The first glance

/** If a button went with its problem: goes on from here, not from the top of the page. */
function keepFocus() {
  if (document.activeElement === document.body) $('verdict').focus();
}

function headline(state, text, advice) {
  if ($('verdict').className !== state) $('verdict').className = state;
  say($('headline'), text);
  say($('advice'), advice);
  document.title = `${state === 'healthy' ? '✓' : '!'} ${text} · apns-bridge`;
}

function judge(status) {
  const total = status.problems.length;
  if (status.stopping) {
    headline('waiting', 'Stopping', 'It finishes what is in flight, and commits.');
  } else if (!status.started) {
    headline('waiting', 'Starting', 'It checks Kafka and APNs.');
  } else if (status.problems.some(problem => problem.severity === 'error')) {
    headline('broken', total === 1 ? 'One problem' : `${total} problems`,
      status.problems.some(problem => losses.includes(problem.kind))
        ? 'Events are gone from Kafka that were not read.'
        : 'Nothing is lost: what cannot be sent now waits in Kafka.');
  } else if (total) {
    headline('waiting', `${total === 1 ? 'One thing needs' : `${total} things need`} attention`,
      'Nothing is broken, and nothing is lost.');
  } else if (!status.ready) {
    headline('waiting', 'Joining the group', 'Kafka assigns the partitions.');
  } else {
    headline('healthy', 'Everything works', 'Nothing needs your attention.');
  }
}

/** The workers that are affected, unless all of the connector are. */
function affected(problem, workers) {
  const numbers = problem.workers;
  const all = workers.filter(worker => worker.connector === problem.connector).length;
  if (numbers.length === 0 || numbers.length === all) return '';
  return ` (${numbers.length > 1 ? 'workers' : 'worker'} ${numbers.join(', ')})`;
}

function showProblems({ problems, workers }) {
  const hadFocus = $('problems').contains(document.activeElement);
  keep($('problems'), problems, problem => [problem.kind, problem.connector, problem.app].join('/'),
    problem => {
      const { kind, connector, app, severity } = problem;
      const item = make('li', { className: severity }, make('b'), make('p'));
      if (kind === 'guard') item.append(button('guard/release', connector, app));
      if (kind === 'paused') item.append(button('resume', connector));
      return item;
    },
    (item, problem) => {
      const since = problem.seconds === null ? '' : ` (for ${time(problem.seconds)})`;
      const place = problem.connector === null
        ? 'The process' : problem.connector + affected(problem, workers);
      say(item.querySelector('b'), `${place}: ${problem.message}${since}`);
      say(item.querySelector('p'), problem.remedy);
    });
  if (hadFocus) keepFocus();
}

// Connectors, workers and partitions

const sum = (items, name) => items.reduce((total, item) => total + (item[name] ?? 0), 0);

/** The largest value of a field; null where no item has one. */
const largest = (items, name) => items.reduce((most, item) =>
  (item[name] ?? null) === null ? most : Math.max(most ?? 0, item[name]), null);

/** The class and the words of a connector's state. */
function stateOf(connector, workers) {
  if (connector.state === 'failed') return ['error', 'failed to start'];
  if (connector.state === 'starting') return ['wait', 'starting'];
  if (connector.state === 'waiting') return ['wait', 'waiting'];
  if (connector.state === 'stopping') return ['wait', 'stopping'];
  if (workers.some(worker => worker.state === 'restarting')) return ['error', 'restarting'];
  if (workers.some(worker => !worker.running)) return ['wait', 'starting'];
  if (workers.some(worker => worker.suspended_apps.length)) return ['error', 'sending suspended'];
  if (workers.some(worker => !worker.connections)) return ['error', 'not connected'];
  if (connector.paused) return ['wait', 'paused'];
  if (workers.some(worker => !worker.joined)) return ['wait', 'joining the group'];
  return ['good', 'running'];
}

function figures(workers) {
  const open = sum(workers, 'requests_open');
  const others = ['rejected', 'dropped', 'unknown'].map(name => sum(workers, name));
  return [
    ['Lag', count(largest(workers, 'lag') === null ? null : sum(workers, 'lag'))],
    ['Oldest event', delay(largest(workers, 'oldest_event_age_ms'))],
    ['In flight', count(open)],
    ['Waiting', count(Math.max(0, sum(workers, 'pushes_open') - open))],
    ['Connections', count(sum(workers, 'connections'))],
    ['Accepted', count(sum(workers, 'accepted'))],
    ['Not accepted', count(others.reduce((total, number) => total + number))],
  ].map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value)));
}

function buildConnector(connector) {
  const partitions = make('details', {}, make('summary'),
    make('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: 'Partitions' }));
  // The table of closed details is not built.
  partitions.addEventListener('toggle', () => showConnectors(lastStatus));
  return make('article', { className: 'card' },
    make('div', { className: 'top' }, make('h3', {}, connector.name), make('span')),
    make('dl'), partitions);
}

function showConnectors(status) {
  keep($('connectors'), status.connectors, connector => connector.name, buildConnector,
    (card, connector) => {
      const workers = status.workers.filter(worker => worker.connector === connector.name);
      const [level, words] = stateOf(connector, workers);
      const badge = card.querySelector('.top span');
      badge.className = `state ${level}`;
      say(badge, words);
      showSwitch(card, connector);
      card.querySelector('dl').replaceChildren(...figures(workers));
      showPartitions(card.querySelector('details'), workers);
    });
}

/** The button to pause, or to resume; a connector that has failed can only be resumed. */
function showSwitch(card, connector) {
  const hasNone = connector.state === 'failed' && !connector.paused;
  const action = connector.paused ? 'resume' : 'pause';
  const known = card.querySelector('.top button');
  if (known?.dataset.action === action && !hasNone) return;
  const hadFocus = known !== null && document.activeElement === known;
  known?.remove();
  if (hasNone) return;
  const next = button(action, connector.name);
  next.dataset.action = action;
  card.querySelector('.top').append(next);
  if (hadFocus) next.focus();
}

function cells(row) {
  const number = text => make('td', { className: 'number' }, text);
  return make('tr', {},
    make('td', {}, `${row.worker}`), make('td', {}, row.topic), number(`${row.partition}`),
    number(count(row.lag)), number(delay(row.oldest_event_age_ms)), number(count(row.open_records)),
    make('td', {}, row.paused.map(reason => pauses[reason] ?? reason).join('; ') || 'no'));
}

function showPartitions(details, workers) {
  const rows = workers.flatMap(worker =>
    (worker.partitions ?? []).map(partition => ({ worker: worker.worker, ...partition })));
  const paused = rows.filter(row => row.paused.length).length;
  const words = [plural(workers.length, 'worker'), plural(rows.length, 'partition')];
  say(details.querySelector('summary'),
    [...words, ...(paused ? [`${count(paused)} paused`] : [])].join(', '));
  if (!details.open) return;
  const trouble = row => (row.paused.length ? 1e15 : 0) + (row.lag ?? 0);
  const shown = rows.length <= shownPartitions ? rows
    : rows.sort((left, right) => trouble(right) - trouble(left)).slice(0, shownPartitions);
  const head = ['Worker', 'Topic', 'Partition', 'Lag', 'Oldest', 'Open', 'Paused'].map(
    (name, index) =>
      make('th', { scope: 'col', className: index > 1 && index < 6 ? 'number' : '' }, name));
  const table = make('table', {},
    make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...shown.map(cells)));
  if (rows.length > shown.length) {
    table.prepend(make('caption', {},
      `The ${shownPartitions} of ${count(rows.length)} that are paused or have the largest lag`));
  }
  details.querySelector('.scroll').replaceChildren(table);
}

// Reasons

function showReasons(reasons) {
  $('reasons').hidden = reasons.length === 0;
  $('noreasons').hidden = reasons.length > 0;
  $('reasons').querySelector('tbody').replaceChildren(...reasons.map(row => make('tr', {},
    make('td', {}, make('b', {}, row.reason ?? row.verdict)), make('td', {}, row.verdict),
    make('td', {}, row.connector), make('td', { className: 'number' }, count(row.count)),
    make('td', {}, row.seconds_ago ? `${time(row.seconds_ago)} ago` : 'just now'),
    make('td', { className: 'text' }, ...prose(row.meaning)))));
}

// The loop

function showStatus(status) {
  lastStatus = status;
  judge(status);
  showProblems(status);
  showConnectors(status);
  const words = [
    plural(status.connectors.length, 'connector'), plural(status.workers.length, 'worker'),
    `up ${time(status.uptime_seconds)}`,
  ];
  say($('summary'), words.join(' · '));
}

/** How old the figures are, if that is not a matter of course. */
function showAge() {
  if (lastSuccess === null) return;
  const seconds = Math.round((performance.now() - lastSuccess) / 1000);
  say($('age'), seconds < 5 ? 'live' : `as of ${time(seconds)} ago`);
}

let isUpdating = false;
async function update() {
  if (isUpdating) return;
  isUpdating = true;
  try {
    const [status, history] = await Promise.all([ask('status'), ask('history')]);
    lastSuccess = performance.now();
    showStatus(status);
    showCharts($('charts'), history);
    showReasons(history.reasons);
  } catch (error) {
    if (error.isLocked) {
      headline('waiting', 'A token is required', '');
      await login();
      setTimeout(update);
    } else {
      headline('broken', 'The bridge does not respond', 'It has ended, or cannot be reached from '
        + 'here. Anything below is what it said last.');
    }
  } finally {
    isUpdating = false;
    showAge();
  }
}

update();
setInterval(() => { if (!document.hidden) update(); }, interval);
setInterval(showAge, 1000);
document.addEventListener('visibilitychange', () => { if (!document.hidden) update(); });
