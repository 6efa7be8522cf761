import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

const require = createRequire(import.meta.url)
const own = readFileSync(new URL('./accent.css', import.meta.url), 'utf8')

const themes = [
  { name: 'light', least: 4.5 },
  { name: 'light_high_contrast', least: 7 },
  { name: 'dark', least: 4.5 },
  { name: 'dark_high_contrast', least: 7 },
]

/** Returns the custom properties of every block in accent.css for a theme. */
function written(theme: string): Map<string, string>[] {
  return own
    .split('}')
    .map(block => block.split('{'))
    .filter(parts => parts.at(-2)?.includes(`-theme="${theme}"]`))
    .map(parts => new Map(pairsIn(parts.at(-1) ?? '')))
}

function kitOf(theme: string): Map<string, string> {
  const file = `@primer/primitives/dist/css/functional/themes/${theme.replaceAll('_', '-')}.css`
  return new Map(pairsIn(readFileSync(require.resolve(file), 'utf8').split('@media')[0] ?? ''))
}

/** Returns the UI kit's background colors on which text is drawn. */
function backgroundsOf(theme: string): string[] {
  const kit = kitOf(theme)
  return ['--bgColor-default', '--bgColor-muted', '--bgColor-inset'].map(name => solid(kit, name))
}

/** Returns the text and background color of the UI kit's danger button in each of its states. */
function dangerOf(theme: string): [string, string][] {
  const kit = kitOf(theme)
  return ['rest', 'hover', 'active'].map(state => [
    solid(kit, `--button-danger-fgColor-${state}`),
    solid(kit, `--button-danger-bgColor-${state}`),
  ])
}

/** Returns the UI kit's default text color, from which links within text must differ. */
const textOf = (theme: string): string => solid(kitOf(theme), '--fgColor-default')

const pairsIn = (css: string): [string, string][] =>
  [...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value])

function solid(kit: ReadonlyMap<string, string>, name: string): string {
  const value = kit.get(name) ?? ''
  const other = /var\((--[\w-]+)\)/.exec(value)?.[1]
  return other ? solid(kit, other) : value
}

/** Returns the RGB color that results from drawing a translucent color over an opaque one. */
function over(color: string, below: string): number[] {
  const [top, under] = [channels(color), channels(below)]
  const alpha = (top[3] ?? 255) / 255
  return [0, 1, 2].map(at => (top[at] ?? 0) * alpha + (under[at] ?? 0) * (1 - alpha))
}

const channels = (color: string): number[] =>
  (color.match(/[\da-f]{2}/gi) ?? []).map(pair => Number.parseInt(pair, 16))

function luminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map(channel => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

it.each(themes)(
  'the accent color has enough contrast as text, background, and line in the $name theme',
  ({ name, least }) => {
    const blocks = written(name)
    expect(blocks.length).toBeGreaterThan(0)
    for (const colors of blocks) {
      expect(colors).toEqual(blocks[0])
      const of = (token: string): string => colors.get(`--guild-${token}`) ?? ''
      for (const below of backgroundsOf(name)) {
        const tinted = over(of('fill-muted'), below)
        expect(contrast(channels(of('text')), channels(below))).toBeGreaterThan(least)
        expect(contrast(channels(of('text')), tinted)).toBeGreaterThan(least)
        expect(contrast(channels(of('line')), channels(below))).toBeGreaterThan(3)
      }
      if (!name.includes('contrast'))
        expect(contrast(channels(of('text')), channels(textOf(name)))).toBeGreaterThan(3)
      for (const fill of ['fill', 'fill-hover', 'fill-active'])
        expect(contrast([255, 255, 255], channels(of(fill)))).toBeGreaterThan(least)
    }
  },
)

it.each(themes)('the focus outline uses the accent line color in the $name theme', ({ name }) => {
  expect(kitOf(name).get('--focus-outline-color')).toBe('var(--borderColor-accent-emphasis)')
  expect(own).toContain('--borderColor-accent-emphasis: var(--guild-line);')
})

it.each(themes)(
  'danger buttons have readable text at rest, on hover, and when pressed in the $name theme',
  ({ name }) => {
    for (const [text, below] of dangerOf(name))
      expect(contrast(channels(text), channels(below)), `${text} on ${below}`).toBeGreaterThan(4.5)
  },
)
