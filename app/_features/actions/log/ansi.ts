/** A terminal color: one of the 16 named colors, which depend on the theme, or an RGB color. */
export type Color = { named: number } | { rgb: Rgb }
/** Red, green, and blue, each from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** Style in which a terminal would show a text. */
export interface TextStyle {
  color?: Color
  background?: Color
  bold?: boolean
  faint?: boolean
  italic?: boolean
  underline?: boolean
  strike?: boolean
  inverse?: boolean
}

/** A part of a line with a single style. */
export interface Span {
  text: string
  style?: TextStyle
}

const escapeCharacter = '\u001b'
/**
 * Maximum number of spans in a line, because more would take the browser seconds to render. The rest of the
 * line gets a single style.
 */
const maxSpans = 2000

/**
 * Splits a line at the escape sequences that style text. All escape sequences are removed. Runs in linear
 * time.
 */
export function parseAnsi(line: string): Span[] {
  const spans: Span[] = []
  let style: TextStyle | undefined
  let text = ''
  const end = (): void => {
    if (text) spans.push(style ? { text, style } : { text })
    text = ''
  }
  for (let at = 0; at < line.length; ) {
    const next = line.indexOf(escapeCharacter, at)
    if (next < 0) {
      text += line.slice(at)
      break
    }
    text += line.slice(at, next)
    const sequence = readSequence(line, next)
    at = sequence.end
    if (sequence.styles === undefined || spans.length >= maxSpans) continue
    end()
    style = applied(style, sequence.styles)
  }
  end()
  return spans
}

/** Returns the readable text of a line, without escape sequences. */
export const plainLine = (line: string): string =>
  line.includes(escapeCharacter)
    ? parseAnsi(line)
        .map(({ text }) => text)
        .join('')
    : line

interface Sequence {
  /** Position where the text continues. */
  end: number
  /** Parameters, if the sequence styles text. */
  styles?: string
}

function readSequence(line: string, start: number): Sequence {
  const kind = line[start + 1]
  if (kind === '[') {
    let at = start + 2
    while (isBetween(line, at, 0x20, 0x3f)) at++
    const styles = line.slice(start + 2, at)
    if (line[at] === 'm' && /^[\d;:]*$/.test(styles)) return { end: at + 1, styles }
    return { end: isBetween(line, at, 0x40, 0x7e) ? at + 1 : at }
  }
  if (kind === ']') {
    // A title or the URL of a link. If it is not terminated by a bell or another escape, only its introducer is
    // removed.
    let at = start + 2
    while (isBetween(line, at, 0x20, 0xffff)) at++
    if (line[at] === '\u0007') return { end: at + 1 }
    if (line[at] === escapeCharacter && line[at + 1] === '\\') return { end: at + 2 }
    return { end: start + 2 }
  }
  while (isBetween(line, start + 1, 0x20, 0x2f)) start++
  return { end: start + (isBetween(line, start + 1, 0x30, 0x7e) ? 2 : 1) }
}

function isBetween(line: string, at: number, least: number, most: number): boolean {
  const code = line.charCodeAt(at)
  return code >= least && code <= most
}

const switches: Readonly<Record<number, TextStyle>> = {
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, faint: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
}

const maxParameters = 32

function applied(former: TextStyle | undefined, parameters: string): TextStyle | undefined {
  let style: TextStyle = { ...former }
  const numbers = parameters.split(/[;:]/, maxParameters).map(Number)
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0
    if (code === 0) style = {}
    else if (code in switches) Object.assign(style, switches[code])
    else if (code === 38 || code === 48) {
      const { color, consumed } = readColor(numbers.slice(at + 1))
      if (color) style[code === 38 ? 'color' : 'background'] = color
      at += consumed
    } else if (code === 39) delete style.color
    else if (code === 49) delete style.background
    else if (code >= 30 && code <= 37) style.color = { named: code - 30 }
    else if (code >= 40 && code <= 47) style.background = { named: code - 40 }
    else if (code >= 90 && code <= 97) style.color = { named: code - 82 }
    else if (code >= 100 && code <= 107) style.background = { named: code - 92 }
  }
  return Object.values(style).some(Boolean) ? style : undefined
}

/** Returns the color at the start of the parameters, and how many of them describe it. */
function readColor([mode, ...rest]: readonly number[]): { color?: Color; consumed: number } {
  const isByte = (value: number | undefined): value is number =>
    value !== undefined && value >= 0 && value <= 255
  const [first, second, third] = rest
  if (mode === 5) return isByte(first) ? { color: indexed(first), consumed: 2 } : { consumed: 2 }
  if (mode !== 2) return { consumed: 1 }
  const isColor = isByte(first) && isByte(second) && isByte(third)
  return isColor ? { color: { rgb: [first, second, third] }, consumed: 4 } : { consumed: 4 }
}

/** Returns a color by its index in the 256-color palette: 16 named colors, a color cube, and grays. */
function indexed(index: number): Color {
  if (index < 16) return { named: index }
  if (index >= 232) {
    const gray = 8 + 10 * (index - 232)
    return { rgb: [gray, gray, gray] }
  }
  const level = (step: number): number => (step === 0 ? 0 : 55 + 40 * step)
  const cube = index - 16
  return { rgb: [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)] }
}
