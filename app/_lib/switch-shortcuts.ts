import { remember } from './remember'

/** Whether single keys do something, kept in a cookie so that the server's first byte already has it. */
export const shortcutsCookie = 'guildhall_shortcuts'

/** Lets single keys do something on all pages, or nothing. Speech input, for one, presses letters that nobody meant. */
export function switchShortcuts(isOn: boolean): void {
  const value = isOn ? 'on' : 'off'
  document.documentElement.dataset.shortcuts = value
  remember(shortcutsCookie, value)
}
