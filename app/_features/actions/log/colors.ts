import type { CSSProperties } from 'react'
import type { Color, Rgb, TextStyle } from './ansi'

/** Theme colors: the background with the least contrast, the text color, and the 16 ANSI colors. */
interface Scheme {
  paper: Rgb
  ink: Rgb
  named: readonly Rgb[]
}

const rgb = (hex: string): Rgb =>
  [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

// Black, red, green, yellow, blue, magenta, cyan, white, and their bright variants, as in the UI kit.
const day: Scheme = {
  paper: rgb('ffebe9'),
  ink: rgb('1f2328'),
  named:
    '1f2328 cf222e 116329 4d2d00 0969da 8250df 1b7c83 59636e 393f46 a40e26 1a7f37 633c01 218bff a475f9 3192aa 818b98'
      .split(' ')
      .map(rgb),
}
const night: Scheme = {
  paper: rgb('2a2119'),
  ink: rgb('f0f6fc'),
  named:
    '2f3742 ff7b72 3fb950 d29922 58a6ff be8fff 39c5cf f0f6fc 656c76 ffa198 56d364 e3b341 79c0ff d2a8ff 56d4dd ffffff'
      .split(' ')
      .map(rgb),
}

/** Minimum contrast of readable text according to WCAG 2. */
const readable = 4.5

/** Returns the CSS of a text style in both themes. Colors are adjusted as far as readability requires. */
export function cssOf(style: TextStyle): CSSProperties {
  const css: CSSProperties = {}
  const { color, background } = style.inverse ? inverted(style) : style
  if (color || background) {
    const [byDay, byNight] = [day, night].map(scheme => drawn(scheme, color, background))
    css.color = lightDark(byDay?.color, byNight?.color)
    if (background) css.backgroundColor = lightDark(byDay?.background, byNight?.background)
  }
  if (style.bold) css.fontWeight = 600
  if (style.italic) css.fontStyle = 'italic'
  const lines = [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean)
  if (lines.length > 0) css.textDecoration = lines.join(' ')
  return css
}

/** A color, or `paper` and `ink` for the page's background and text colors. */
type Drawn = Color | 'paper' | 'ink'

const inverted = ({ color, background }: TextStyle): { color: Drawn; background: Drawn } => ({
  color: background ?? 'paper',
  background: color ?? 'ink',
})

function drawn(scheme: Scheme, color: Drawn = 'ink', background?: Drawn): { color: Rgb; background: Rgb } {
  const below = resolve(scheme, background ?? 'paper')
  return { color: readableOn(below, resolve(scheme, color)), background: below }
}

function resolve({ named, paper, ink }: Scheme, color: Drawn): Rgb {
  if (color === 'paper') return paper
  if (color === 'ink') return ink
  return 'rgb' in color ? color.rgb : (named[color.named] ?? ink)
}

const lightDark = (byDay: Rgb = day.ink, byNight: Rgb = night.ink): string =>
  `light-dark(rgb(${byDay.join(' ')}), rgb(${byNight.join(' ')}))`

/**
 * Returns the color nearest to the given one that is readable on a background, moving toward black or white.
 */
function readableOn(background: Rgb, color: Rgb): Rgb {
  if (contrast(background, color) >= readable) return color
  const end: Rgb =
    contrast(background, [0, 0, 0]) >= contrast(background, [255, 255, 255]) ? [0, 0, 0] : [255, 255, 255]
  for (let share = 0.1; share < 1; share += 0.1) {
    const mixed = color.map((value, at) =>
      Math.round(value + ((end[at] ?? 0) - value) * share),
    ) as unknown as Rgb
    if (contrast(background, mixed) >= readable) return mixed
  }
  return end
}

/** Returns the contrast ratio of two colors according to WCAG 2, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
