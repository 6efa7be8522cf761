import { remember } from './remember'

/**
 * Color modes of the pages. The setting is stored in cookies, so that the server can render it from the first
 * byte.
 */
export const themeModes = ['auto', 'light', 'dark'] as const
export type ThemeMode = (typeof themeModes)[number]

export interface Theme {
  mode: ThemeMode
  highContrast: boolean
}

export const modeCookie = 'guildhall_theme'
export const contrastCookie = 'guildhall_contrast'

export function readTheme(cookie: (name: string) => string | undefined): Theme {
  const mode = themeModes.find(word => word === cookie(modeCookie)) ?? 'auto'
  return { mode, highContrast: cookie(contrastCookie) === 'high' }
}

export function schemesOf({ highContrast }: Theme) {
  return highContrast
    ? ({ day: 'light_high_contrast', night: 'dark_high_contrast' } as const)
    : ({ day: 'light', night: 'dark' } as const)
}

const listeners = new Set<() => void>()

/** Calls back when the theme changes. Returns a function that stops this. */
export function whenRepainted(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Returns the theme of the open page. */
export function shownTheme(): Theme {
  const { colorMode, lightTheme } = document.documentElement.dataset
  const mode = themeModes.find(word => word === colorMode) ?? 'auto'
  return { mode, highContrast: lightTheme === 'light_high_contrast' }
}

/** Applies a theme to the open page immediately, without the server. */
export function applyTheme(theme: Theme): void {
  const { day, night } = schemesOf(theme)
  const { dataset } = document.documentElement
  dataset.colorMode = theme.mode
  dataset.lightTheme = day
  dataset.darkTheme = night
  remember(modeCookie, theme.mode)
  remember(contrastCookie, theme.highContrast ? 'high' : 'normal')
  for (const listener of listeners) listener()
}
