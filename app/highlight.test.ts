import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

const require = createRequire(import.meta.url)
const own = readFileSync(new URL('./highlight.css', import.meta.url), 'utf8')

/** Returns the names of the colors of each rule in highlight.css: of its text, and of its background if it has one. */
const rules = [...own.matchAll(/\.[\w-]+(?:::before)?,\n([\w-]+)(?:::before)? \{([^}]*)\}/g)].flatMap(
  ([, name = '', body = '']) => {
    const [, text] = /[^-]color: var\((--[\w-]+)\)/.exec(body) ?? []
    const [, background] = /background: var\((--[\w-]+)\)/.exec(body) ?? []
    return text ? [{ name, text, background }] : []
  },
)

/** Returns a function that returns a color of the UI kit's theme as RGB, drawn over the default background. */
function colorsOf(theme: string): (name: string) => number[] {
  const file = require.resolve(`@primer/primitives/dist/css/functional/themes/${theme}.css`)
  const css = readFileSync(file, 'utf8').split('@media')[0] ?? ''
  const values = new Map([...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]))
  const channels = (name: string): number[] => {
    const value = values.get(name) ?? ''
    const other = /var\((--[\w-]+)\)/.exec(value)?.[1]
    return other
      ? channels(other)
      : (value.match(/[\da-f]{2}/gi) ?? []).map(pair => Number.parseInt(pair, 16))
  }
  const below = channels('--bgColor-default')
  return name => {
    const color = channels(name)
    const alpha = (color[3] ?? 255) / 255
    return [0, 1, 2].map(at => (color[at] ?? Number.NaN) * alpha + (below[at] ?? 0) * (1 - alpha))
  }
}

function luminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color
    .map(value => value / 255)
    .map(value => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

it.each(['light', 'light-high-contrast', 'dark', 'dark-high-contrast'])(
  'highlighted code has a contrast of at least 4.5 to 1 in the theme %s',
  theme => {
    const colorOf = colorsOf(theme)
    expect(rules.length).toBeGreaterThan(10)
    for (const { name, text, background } of rules)
      for (const each of background ? [background] : ['--bgColor-default', '--bgColor-muted'])
        expect(contrast(colorOf(text), colorOf(each)), `${name} on ${each}`).toBeGreaterThanOrEqual(4.5)
  },
)

it('the stylesheet has a rule for every class of highlighted code', () => {
  const scopes = readFileSync(new URL('../server/kernel/rendering/thread/scopes.ts', import.meta.url), 'utf8')
  const names = new Set([...scopes.matchAll(/'(pl-\w+)'/g)].map(([, name]) => name))
  expect([...names].filter(name => !own.includes(`.${name},\n${name} {`))).toEqual([])
})
