/** After this long, an empty frame looks broken. A phone with a slow connection needs some three seconds. */
const SLOW_MS = 8_000;

/** Says in the frame of the first paint that the page is still waiting, unless the app is drawn by then. */
export function saySlowStart(): void {
  setTimeout(() => {
    const frame = document.getElementById('first-paint');
    if (frame === null || document.getElementById('root')?.childElementCount !== 0) return;
    const sentence = document.createElement('p');
    sentence.setAttribute('role', 'status');
    sentence.textContent = 'Posthorn takes longer than usual to answer. This page opens as soon as the answer is here.';
    Object.assign(sentence.style, { margin: '0', padding: '18px', fontWeight: '400', lineHeight: '1.5' });
    frame.removeAttribute('aria-hidden');
    frame.append(sentence);
  }, SLOW_MS);
}
