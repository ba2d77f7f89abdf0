// The charts of the last 30 minutes.
import { stacked, lines, highest, latest } from './charts.js';
import { count, plural, rate, time, delay, make } from './elements.js';

const verdicts = ['accepted', 'rejected', 'dropped', 'unknown'];

/** A chart with its title, its latest value, its axis and its key. */
function chart(history, title, note, key, drawing, top) {
  const start = time(history.capacity * history.interval_seconds);
  return make('figure', { className: 'chart' },
    make('figcaption', {}, make('b', {}, title), make('span', {}, note)),
    drawing.picture,
    make('div', { className: 'axis', ariaHidden: 'true' },
      make('span', {}, `−${start}`), make('span', {}, `top: ${top}`), make('span', {}, 'now')),
    make('div', { className: 'key', ariaHidden: 'true' },
      ...key.map(([name, words]) => make('span', { className: name }, words))));
}

function pushes(history) {
  const rows = verdicts.map(name => ({
    name,
    values: history[name].map((value, index) =>
      value === null ? null : value / history.seconds[index]),
  }));
  const last = rows.map(row => row.values.at(-1) ?? 0);
  const words = verdicts.map((name, index) => `${rate(last[index])} ${name}`).join(', ');
  const drawing = stacked(rows, history.capacity, `Pushes per second, last: ${words}`);
  const note = `${rate(last.reduce((sum, value) => sum + value))}/s`;
  const key = verdicts.map(name => [name, name]);
  return chart(history, 'Pushes', note, key, drawing, `${count(drawing.limit)}/s`);
}

function latency(history, title, name) {
  const rows = [
    { name: 'slowest', values: history[`${name}_p99_ms`] },
    { name: 'median', values: history[`${name}_p50_ms`] },
  ];
  const [p99, p50] = rows.map(row => latest(row.values));
  const most = highest(rows.map(row => row.values));
  const label = `${title}, last: median ${delay(p50)}, 99th percentile ${delay(p99)}; `
    + `highest ${delay(most)}`;
  const drawing = lines(rows, history.capacity, label);
  const note = p50 === null ? 'no pushes yet' : '';
  const key = [['median', `p50 ${delay(p50)}`], ['slowest', `p99 ${delay(p99)}`]];
  return chart(history, title, note, key, drawing, delay(drawing.limit));
}

function lag(history) {
  const now = latest(history.lag);
  const drawing = lines([{ name: 'median', values: history.lag }], history.capacity,
    `Lag, last: ${plural(now, 'record')}; highest ${count(highest([history.lag]))}`);
  const key = [['median', 'records in Kafka that are not done']];
  return chart(history, 'Lag', plural(now, 'record'), key, drawing, count(drawing.limit));
}

/** Shows the history in an element. */
export function showCharts(element, history) {
  element.replaceChildren(
    pushes(history), latency(history, 'Event to accepted', 'event_to_accepted'),
    latency(history, 'APNs round trip', 'round_trip'), lag(history));
}
