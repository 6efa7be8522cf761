import { remember } from './remember'

/** Cookie with the setting of single-key shortcuts, so that the server can render it from the first byte. */
export const shortcutsCookie = 'guildhall_shortcuts'

/**
 * Turns single-key shortcuts on or off, for example for speech input, which can press letters
 * unintentionally.
 */
export function switchShortcuts(isOn: boolean): void {
  const value = isOn ? 'on' : 'off'
  document.documentElement.dataset.shortcuts = value
  remember(shortcutsCookie, value)
}
