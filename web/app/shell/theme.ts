export type Theme = 'system' | 'light' | 'dark';

const key = 'afterimage.theme';

export function chosenTheme(): Theme {
  const chosen = window.localStorage.getItem(key);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Shows the chosen theme; the browser's, unless another was chosen. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') {
    delete document.documentElement.dataset['theme'];
  } else {
    document.documentElement.dataset['theme'] = theme;
  }
}

export function chooseTheme(theme: Theme): void {
  window.localStorage.setItem(key, theme);
  applyTheme();
}
