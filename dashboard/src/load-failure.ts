/** The page when the app cannot be loaded, also after a reload. No sheet of styles is there, and no part of the app. */
export function showLoadFailure(): void {
  const root = document.getElementById('root');
  if (root === null || root.childElementCount > 0) return;
  const sentence = document.createElement('p');
  sentence.textContent = 'Posthorn could not be loaded. Reload the page.';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Reload';
  button.addEventListener('click', () => window.location.reload());
  const box = document.createElement('div');
  box.setAttribute('role', 'alert'); // the frame of the first paint goes for it
  Object.assign(box.style, { padding: '72px 18px', textAlign: 'center', font: '14px system-ui, sans-serif' });
  box.append(sentence, button);
  root.append(box);
}
