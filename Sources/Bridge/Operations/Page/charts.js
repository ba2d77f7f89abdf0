// Small charts of the history: rows of numbers, oldest first, become an SVG.

const width = 300;
const height = 84;

/** An SVG element with attributes and children. */
function shape(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The next round number: 1, 2 or 5 times a power of ten. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map(factor => factor * power).find(limit => limit >= value);
}

/** The largest number of several rows; 0 without any. */
export const highest = rows =>
  rows.flat().reduce((most, value) => Math.max(most, value ?? 0), 0);

/** The latest number of a row; null without one. */
export const latest = row => row.findLast(value => value !== null) ?? null;

/** Where the steps of a row stand: the newest on the right, however few there are. */
function places(count, capacity) {
  const step = width / (capacity - 1);
  return index => width - (count - 1 - index) * step;
}

function frame(limit, label, ...shapes) {
  const grid = [0, height / 2, height].map(y =>
    shape('line', { class: 'grid', x1: 0, x2: width, y1: y, y2: y }));
  const attributes = {
    viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img',
    'aria-label': label,
  };
  return { limit, picture: shape('svg', attributes, ...grid, ...shapes) };
}

/** Rows stacked on each other; each row has the name of a class, and values. */
export function stacked(rows, capacity, label) {
  const count = rows[0].values.length;
  const sums = Array.from({ length: count }, (_, index) =>
    rows.reduce((sum, row) => sum + (row.values[index] ?? 0), 0));
  const limit = roundUp(highest(sums));
  const x = places(count, capacity);
  const edge = values => values.map((value, index) =>
    `${x(index).toFixed(1)},${(height - value / limit * height).toFixed(1)}`);
  let floor = Array(count).fill(0);
  const areas = rows.map(row => {
    const ceiling = floor.map((value, index) => value + (row.values[index] ?? 0));
    const points = [...edge(ceiling), ...edge(floor).reverse()].join(' ');
    floor = ceiling;
    return shape('polygon', { class: `area ${row.name}`, points });
  });
  return frame(limit, label, ...areas);
}

/** Rows as lines that are interrupted where there is no value. */
export function lines(rows, capacity, label) {
  const limit = roundUp(highest(rows.map(row => row.values)));
  const x = places(rows[0].values.length, capacity);
  const paths = rows.map(row => {
    let isDrawing = false;
    const path = row.values.map((value, index) => {
      const command = isDrawing ? 'L' : 'M';
      isDrawing = value !== null;
      if (!isDrawing) return '';
      const y = (height - value / limit * height).toFixed(1);
      // A lone value is a short line, so that it can be seen.
      return `${command}${x(index).toFixed(1)} ${y}${command === 'M' ? 'h.8' : ''}`;
    });
    return shape('path', { class: `line ${row.name}`, d: path.join('') });
  });
  return frame(limit, label, ...paths);
}
