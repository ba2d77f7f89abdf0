// What every part of the page uses: numbers as text, and elements.

export const count = number => (number ?? null) === null ? '–' : number.toLocaleString('en');
export const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
export const rate = value => value >= 10 ? count(Math.round(value)) : value.toFixed(1);

/** A length of time given in seconds. */
export function time(seconds) {
  if ((seconds ?? null) === null) return '–';
  const parts = (large, big, small, little) =>
    `${Math.floor(seconds / large)} ${big} ${Math.floor(seconds % large / small)} ${little}`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86400 ? parts(3600, 'h', 60, 'min') : parts(86400, 'd', 3600, 'h');
}

/** A length of time given in milliseconds. */
export function delay(milliseconds) {
  if ((milliseconds ?? null) === null) return '–';
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 10000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return time(milliseconds / 1000);
}

/** An element with properties and children; a text becomes a text node, never markup. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Sets a text only if it has changed, so that a screen reader is not interrupted. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Children for a text in which `code` stands between back quotes. */
export const prose = text =>
  text.split('`').map((part, index) => index % 2 ? make('code', {}, part) : part);

/** Keeps one element for each item, so that focus and open details survive an update. */
export function keep(parent, items, key, build, update) {
  const known = new Map([...parent.children].map(child => [child.dataset.key, child]));
  items.forEach((item, index) => {
    const name = key(item);
    let child = known.get(name);
    known.delete(name);
    if (!child) {
      child = build(item);
      child.dataset.key = name;
    }
    const place = parent.children[index] ?? null;
    if (place !== child) parent.insertBefore(child, place);
    update(child, item);
  });
  for (const child of known.values()) child.remove();
}
